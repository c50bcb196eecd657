import Glibc

/// The bytes of a file; nil if it cannot be read.
func bytes(of path: String) -> [UInt8]? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var all: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while true {
        let count = fread(&part, 1, part.count, file)
        if count == 0 { return all }
        all.append(contentsOf: part[..<count])
    }
}

/// The names in a folder, in order; none if there is no such folder.
func names(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var found: [String] = []
    while let entry = readdir(directory) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
            $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name != ".", name != ".." { found.append(name) }
    }
    return found.sorted()
}

/// The rows of a table as texts, the first of which names the columns.
///
/// Fields may stand in quotes.
func table(_ path: String) -> [[String]] {
    var rows: [[String]] = []
    var row: [String] = []
    var field: [UInt8] = []
    var isQuoted = false
    func endField() {
        row.append(String(decoding: field, as: UTF8.self))
        field.removeAll(keepingCapacity: true)
    }
    for byte in bytes(of: path) ?? [] {
        switch byte {
        case UInt8(ascii: "\""): isQuoted.toggle()
        case UInt8(ascii: ",") where !isQuoted: endField()
        case UInt8(ascii: "\r"): break
        case UInt8(ascii: "\n") where !isQuoted:
            endField()
            rows.append(row)
            row = []
        default: field.append(byte)
        }
    }
    if !field.isEmpty || !row.isEmpty {
        endField()
        rows.append(row)
    }
    return rows
}

/// The number with so many places, in a field of a width.
func number(_ value: Double, _ places: Int = 1, width: Int = 0) -> String {
    guard value.isFinite else { return pad("-", width) }
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    let whole = Int((value.magnitude * scale).rounded())
    var text = String(whole / Int(scale))
    if places > 0 {
        let part = String(whole % Int(scale))
        text += "." + String(repeating: "0", count: places - part.count) + part
    }
    return pad((value < 0 && whole > 0 ? "-" : "") + text, width)
}

/// The text, right in a field of a width.
func pad(_ text: String, _ width: Int) -> String { String(repeating: " ", count: max(0, width - text.count)) + text }

/// The text, left in a field of a width.
func left(_ text: String, _ width: Int) -> String {
    String(text.prefix(width)) + String(repeating: " ", count: max(0, width - text.count))
}

/// The mean; not a number of nothing.
func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }
