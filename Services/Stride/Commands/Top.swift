import EventLoops
import Foundation
import Redis
import ServiceKit

/// `stride top`: the fleet as Redis has it, once a second until somebody presses `q`, or once.
enum Top {
    static func run(_ arguments: inout Arguments, _ settings: inout Settings) async throws -> Int32 {
        let isOnce = arguments.flag("once")
        let isJSON = arguments.flag("json")
        try arguments.finish()
        guard isOnce || !isJSON else { throw Arguments.Fault("--json goes with --once") }
        let url = settings.text("STRIDE_REDIS_URL")
        try settings.finish()
        var redis = try settings.redis(url: url)
        // Somebody who looks has more patience than a request.
        redis.commandTimeout = .seconds(2)
        redis.stallTimeout = .seconds(2)
        let environment = ProcessInfo.processInfo.environment
        return try await Stores.withRedis(redis) { client in
            let reader = FleetReader(redis: client)
            if isJSON {
                print(String(decoding: try await reader.look().encode(), as: UTF8.self))
                return 0
            }
            guard !isOnce, let screen = LiveScreen() else {
                let style = Terminal.chartStyle(of: environment)
                for line in TopScreen(view: try await reader.look(), style: style, rows: .max).lines { print(line) }
                return 0
            }
            defer { screen.close() }
            try await watch(reader, on: screen, loop: client.loop, environment)
            return 0
        }
    }

    /// Looks once a second, and at the minutes every tenth time; draws anew when the size of the screen changes.
    private static func watch(
        _ reader: FleetReader, on screen: LiveScreen, loop: EventLoop, _ environment: [String: String]
    ) async throws {
        var past: [String: [Int64]] = [:]
        var view: FleetView?
        var complaint: String?
        var number = 0
        while true {
            do throws(RedisError) {
                var next = try await reader.look(hasMinutes: number % 10 == 0)
                if number % 10 != 0, let view { next.minutes = view.minutes }
                for service in next.services where service.instances > 0 {
                    past[service.name] = (past[service.name] ?? []).suffix(59) + [service.now.count(.requests)]
                }
                (view, complaint) = (next, nil)
                number += 1
            } catch {
                complaint = "the fleet cannot be seen: \(error)"
            }
            var drawn = (columns: 0, rows: 0)
            let deadline = ContinuousClock.now + .seconds(1)
            repeat {
                let size = screen.size
                if size != drawn {
                    drawn = size
                    screen.draw(lines(view, past, complaint, size, environment))
                }
                if screen.wantsToLeave() { return }
                // The loop goes on meanwhile, so it is not the terminal that makes Redis look slow.
                try await loop.sleep(for: .milliseconds(100))
            } while ContinuousClock.now < deadline
        }
    }

    private static func lines(
        _ view: FleetView?, _ past: [String: [Int64]], _ complaint: String?, _ size: (columns: Int, rows: Int),
        _ environment: [String: String]
    ) -> [String] {
        var style = Terminal.chartStyle(of: environment)
        style.columns = max(40, size.columns)
        let foot = complaint.map { style.paint($0, .alarm) } ?? style.paint("q quits", .faint)
        guard let view else { return [foot] }
        let lines = TopScreen(view: view, past: past, style: style, rows: size.rows - 1).lines
        return lines + Array(repeating: "", count: max(0, size.rows - 1 - lines.count)) + [foot]
    }
}
