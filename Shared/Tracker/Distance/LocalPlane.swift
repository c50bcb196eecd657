/// A point on the ground in metres east and north of a place nearby.
struct GroundPoint: Equatable, Sendable {
    var east = 0.0
    var north = 0.0

    static func + (left: GroundPoint, right: GroundPoint) -> GroundPoint {
        GroundPoint(east: left.east + right.east, north: left.north + right.north)
    }
    static func - (left: GroundPoint, right: GroundPoint) -> GroundPoint {
        GroundPoint(east: left.east - right.east, north: left.north - right.north)
    }
    func scaled(by factor: Double) -> GroundPoint { GroundPoint(east: east * factor, north: north * factor) }
    func distance(to other: GroundPoint) -> Double {
        let way = self - other
        return (way.east * way.east + way.north * way.north).squareRoot()
    }
}

/// The plane that touches the earth at a place: degrees become metres.
///
/// Within 3 km of the place lengths are right to a ten-thousandth, on the ellipsoid of WGS 84 and across the antimeridian.
/// Source of the radii: NIMA TR8350.2, "World Geodetic System 1984".
struct LocalPlane: Sendable {
    private let latitude: Double
    private let longitude: Double
    private let metresEast: Double
    private let metresNorth: Double

    init(at fix: Fix) {
        latitude = fix.latitude
        longitude = fix.longitude
        let cosine = Self.cosine(degrees: fix.latitude)
        let bulge = 1 - 0.00669437999014 * (1 - cosine * cosine)
        let across = 6_378_137 / bulge.squareRoot()
        metresEast = across * cosine * Self.degree
        metresNorth = across * (1 - 0.00669437999014) / bulge * Self.degree
    }

    func point(of fix: Fix) -> GroundPoint {
        var turn = fix.longitude - longitude
        if turn > 180 { turn -= 360 } else if turn < -180 { turn += 360 }
        return GroundPoint(east: turn * metresEast, north: (fix.latitude - latitude) * metresNorth)
    }

    private static let degree = 0.017453292519943295

    /// The cosine of a latitude by the first terms of its series, right to 1e-10.
    ///
    /// Not the system's: its last bits differ between platforms.
    static func cosine(degrees: Double) -> Double {
        let angle = degrees * degree
        let square = angle * angle
        var sum = 1.0
        // 1 - x²/(1·2) (1 - x²/(3·4) (1 - …
        for pair in [7.0, 6, 5, 4, 3, 2, 1] { sum = 1 - square / ((2 * pair - 1) * 2 * pair) * sum }
        return max(0, sum)
    }
}
