import Glibc
import Testing
import Tracker

/// Recordings of people with the number of steps they took; the folder's LICENSES and NOTICE name the sources.
@Suite("Recordings with known truth")
struct RecordedWalkTests {
    static let folder = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined() + "/Fixtures/Tracker/"

    static func rows(_ name: String) throws -> [[Double]] {
        let file = try #require(fopen(folder + name, "r"))
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = fread(&bytes, 1, bytes.count, file)
        let text = String(decoding: bytes[..<count], as: UTF8.self)
        return text.split(separator: "\n").dropFirst().map { $0.split(separator: ",").compactMap { Double($0) } }
    }

    static func samples(_ name: String) throws -> [Motion] {
        try rows("accelerometer/\(name).csv").map { Motion(time: $0[0], x: $0[1], y: $0[2], z: $0[3]) }
    }

    @Test(
        "Walks are counted",
        arguments: [
            ("oxford_phone/Pixel_Jamie_Carpet_InHand_4", 239...247),  // 243 steps
            ("oxford_phone/val_user1_frontpocket_1506422223341", 322...332),  // 327 steps
            ("mobgap_lowback/HA001_Test5_Trial1", 8...10),  // 9 steps
        ])
    func walksCounted(name: String, steps: ClosedRange<Int>) throws {
        let counted = count(try Self.samples(name))
        #expect(steps.contains(counted), "\(counted)")
    }

    @Test(
        "What is no walk has no steps",
        arguments: [
            "node_pedometer/DataNotWalking2", "watch_exercise/s01_ROW_L", "watch_exercise/s03_TRAP_L",
            "watch_exercise/s03_ER_L",
        ])
    func whatWalkHasSteps(name: String) throws {
        #expect(count(try Self.samples(name)) == 0)
    }

    @Test("A walk in a pocket is counted without gravity")
    func walkPocketCountedWithout() throws {
        var gravity: (Double, Double, Double)?
        let samples = try Self.samples("oxford_phone/val_user1_frontpocket_1506422223341").map { sample in
            var (x, y, z) = gravity ?? (sample.x, sample.y, sample.z)
            (x, y, z) = (x + 0.02 * (sample.x - x), y + 0.02 * (sample.y - y), z + 0.02 * (sample.z - z))
            gravity = (x, y, z)
            return Motion(time: sample.time, x: sample.x - x, y: sample.y - y, z: sample.z - z)
        }
        #expect((317...337).contains(count(samples)))
    }

    @Test(
        "Tracks are as long as the device says",
        arguments: [
            ("garmin-fenix-5-walk", 67.85), ("garmin-fenix-5-run", 157.56), ("garmin-edge-820-bike", 450.17),
            ("2015-10-13-08-43-15", 11536.43),
        ])
    func tracksLongDeviceSays(name: String, metres: Double) throws {
        var estimator = DistanceEstimator()
        for row in try Self.rows("gps/fit/\(name).csv") {
            estimator.push(Fix(time: row[0], latitude: row[1], longitude: row[2]))
        }
        estimator.finish()
        #expect((estimator.metres - metres).magnitude <= 0.015 * metres, "\(estimator.metres)")
    }

    @Test("Somebody who stands in a noise of 4 m goes nowhere")
    func somebodyWhoStandsNoise() throws {
        var estimator = DistanceEstimator()
        for row in try Self.rows("gps/derived/stationary_jitter.csv") {
            estimator.push(Fix(time: row[0], latitude: row[1], longitude: row[2]))
        }
        estimator.finish()
        #expect(estimator.metres <= 11)
    }
}
