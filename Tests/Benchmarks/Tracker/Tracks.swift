import Glibc
import Tracker

/// A track of fixes with its length, in pieces between which the receiver was off.
struct Track {
    let set: String
    let name: String
    var pieces: [[Fix]]
    let metres: Double
    /// Whether the length is what a device measured; else it is the sum of the points, with their noise.
    var isMeasured = true

    var measured: Double { Self.measure(pieces) }

    /// How far the estimate is off, in percent.
    var error: Double { (measured / metres - 1) * 100 }

    static func measure(_ pieces: [[Fix]]) -> Double {
        var estimator = DistanceEstimator()
        for piece in pieces {
            for fix in piece { estimator.push(fix) }
            estimator.pause()
        }
        return estimator.metres
    }
}

/// The tracks of a folder laid out like the shared data: `fit`, `derived` and `gpx`.
func tracks(in folder: String) -> [Track] {
    var all: [Track] = []
    for set in names(in: folder) {
        let truth = table("\(folder)/\(set)/truth.csv")
        guard let header = truth.first, let file = header.firstIndex(of: "file") else { continue }
        for row in truth.dropFirst() where row.count == header.count {
            let name = row[file].hasSuffix(".fit") ? String(row[file].dropLast(4)) + ".csv" : row[file]
            let path = "\(folder)/\(set)/\(name)"
            func field(_ column: String) -> Double? { header.firstIndex(of: column).flatMap { Double(row[$0]) } }
            if name.hasSuffix(".csv") {
                guard let track = deviceTrack(path, set, row[file], truth: field("truth_m")) else { continue }
                all.append(track)
            } else if let length = field("haversine_m"), length > 50, (field("dup_or_missing") ?? 0) == 0,
                let pieces = markupTrack(path)
            {
                let features = header.firstIndex(of: "features").map { row[$0] } ?? ""
                let device = value(features[...], "device-distance=", " ").flatMap { Double($0) }
                all.append(
                    Track(
                        set: set, name: row[file], pieces: pieces, metres: device ?? length,
                        isMeasured: device != nil))
            }
        }
    }
    return all
}

/// A table `epoch_s,lat,lon` and perhaps `device_dist_m`, whose last column is the truth from the first fix to the last.
private func deviceTrack(_ path: String, _ set: String, _ name: String, truth: Double?) -> Track? {
    var fixes: [Fix] = []
    var ends: [Double] = []
    for row in table(path).dropFirst() where row.count >= 3 {
        guard let time = Double(row[0]), let latitude = Double(row[1]), let longitude = Double(row[2]) else { continue }
        fixes.append(Fix(time: time, latitude: latitude, longitude: longitude))
        if row.count > 3, let distance = Double(row[3]) { ends.append(distance) }
    }
    guard fixes.count > 1, let length = truth ?? ends.first.flatMap({ first in ends.last.map { $0 - first } }) else {
        return nil
    }
    return Track(set: set, name: name, pieces: [fixes], metres: length)
}

/// The pieces of a GPX or TCX file; nil if a point has no time, for then nothing can be measured live.
private func markupTrack(_ path: String) -> [[Fix]]? {
    guard let data = bytes(of: path) else { return nil }
    let text = String(decoding: data, as: UTF8.self)
    var pieces: [[Fix]] = []
    // A lap of TCX is no pause.
    for segment in text.split(separator: "<trkseg>").dropFirst(path.hasSuffix(".tcx") ? 0 : 1) {
        var fixes: [Fix] = []
        for point in segment.split(separator: path.hasSuffix(".tcx") ? "<Trackpoint>" : "<trkpt").dropFirst() {
            guard
                let latitude = (value(point, "lat=\"", "\"") ?? value(point, "<LatitudeDegrees>", "<")).flatMap({
                    Double($0)
                }),
                let longitude = (value(point, "lon=\"", "\"") ?? value(point, "<LongitudeDegrees>", "<")).flatMap({
                    Double($0)
                })
            else { continue }
            guard let time = (value(point, "<time>", "<") ?? value(point, "<Time>", "<")).flatMap(seconds) else {
                return nil
            }
            fixes.append(Fix(time: time, latitude: latitude, longitude: longitude))
        }
        pieces.append(fixes)
    }
    return pieces.contains { $0.count > 1 } ? pieces : nil
}

private func value(_ text: Substring, _ before: String, _ after: Character) -> Substring? {
    guard let start = text.firstRange(of: before)?.upperBound else { return nil }
    return text[start...].prefix { $0 != after }
}

/// The seconds of `2010-08-05T14:23:59Z` since some day; the zone does not matter within a track.
private func seconds(_ text: Substring) -> Double? {
    let parts = text.split { !$0.isNumber && $0 != "." }.compactMap { Double($0) }
    guard parts.count >= 6 else { return nil }
    var time = tm()
    time.tm_year = Int32(parts[0]) - 1900
    time.tm_mon = Int32(parts[1]) - 1
    time.tm_mday = Int32(parts[2])
    return Double(timegm(&time)) + parts[3] * 3600 + parts[4] * 60 + parts[5]
}
