/// Reads a service's settings from the environment and collects every fault, so that an operator mends all at once.
///
/// A secret may come from a file: where `KEY` is looked up, `KEY_FILE` names a file that holds the value. Settings are
/// never taken from arguments, which other users of the machine can read.
package struct Settings {
    /// A setting that cannot be used.
    package struct Fault: Error, Sendable, CustomStringConvertible {
        /// One line a fault, without values.
        package let faults: [String]
        /// Puts lines together.
        package init(faults: [String]) { self.faults = faults }
        /// The lines.
        package var description: String { faults.joined(separator: "\n") }
    }

    private let environment: [String: String]
    private let readFile: (String) -> String?
    private var faults: [String] = []

    /// Takes an environment; tests give their own.
    ///
    /// - Parameter readFile: the text of a file without its last line feed, or nil.
    package init(_ environment: [String: String], readFile: @escaping (String) -> String? = TextFile.read) {
        self.environment = environment
        self.readFile = readFile
    }

    /// A text; required when there is no default.
    package mutating func text(_ key: String, default standard: String? = nil) -> String {
        if let value = environment[key], !value.isEmpty { return value }
        if let path = environment["\(key)_FILE"], !path.isEmpty {
            if let value = readFile(path), !value.isEmpty { return value }
            faults.append("\(key)_FILE: the file cannot be read or is empty")
            return ""
        }
        if let standard { return standard }
        faults.append("\(key) is missing")
        return ""
    }

    /// A text that may be left out.
    package func optionalText(_ key: String) -> String? {
        environment[key].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Texts separated by commas; none when the setting is absent.
    package func list(_ key: String) -> [String] {
        (optionalText(key) ?? "").split(separator: ",").map(String.init)
    }

    /// A whole number within bounds.
    package mutating func integer(_ key: String, default standard: Int, in bounds: ClosedRange<Int>) -> Int {
        guard let text = environment[key], !text.isEmpty else { return standard }
        guard let value = Int(text), bounds.contains(value) else {
            faults.append("\(key) must be a whole number from \(bounds.lowerBound) to \(bounds.upperBound)")
            return standard
        }
        return value
    }

    /// A duration, given in whole milliseconds.
    package mutating func milliseconds(
        _ key: String, default standard: Int, in bounds: ClosedRange<Int>
    ) -> Duration {
        .milliseconds(integer(key, default: standard, in: bounds))
    }

    /// One of several words.
    package mutating func choice<Value: RawRepresentable & CaseIterable>(
        _ key: String, default standard: Value
    ) -> Value where Value.RawValue == String {
        guard let text = environment[key], !text.isEmpty else { return standard }
        guard let value = Value(rawValue: text) else {
            faults.append("\(key) must be one of \(Value.allCases.map(\.rawValue).joined(separator: ", "))")
            return standard
        }
        return value
    }

    /// Notes a fault that the caller has found.
    package mutating func refuse(_ fault: String) { faults.append(fault) }

    /// Throws all faults found so far.
    package func finish() throws(Fault) {
        guard faults.isEmpty else { throw Fault(faults: faults) }
    }
}
