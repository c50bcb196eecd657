import EventLoops
import Glibc
import StrideTestSupport

// Calls of many phones at a rate of their own, by one process with its own connections: `LoadBenchmark KEY=VALUE…`.
//
// Each call has its time by the clock. When no connection is free it waits for one, and that wait counts as latency: a slow
// answer slows nothing and hides nothing. Prints one line, `RESULT KEY=VALUE…`, and with `timeline=1` a line for each second.

do {
    let plan = try LoadPlan(arguments: CommandLine.arguments.dropFirst())
    let loop = try EventLoop.start(name: "load")
    let report = try await loop.run {
        let load = Load(plan, loop: loop)
        try await load.connect()
        return await load.run()
    }
    if plan.hasTimeline { for line in report.timeline { print(line) } }
    print(report.result)
} catch {
    print("LoadBenchmark: \(error)")
    exit(1)
}
