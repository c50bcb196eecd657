import Foundation
import ServiceKit

/// The operator's tool: one word says what it does, the environment says where.
enum StrideTool {
    static let usage = """
        usage: stride COMMAND [OPTIONS]

          migrate                     bring the database to the latest schema
          token --sub NAME            print a bearer token; a %d in NAME makes many
                [--scope "A B"] [--expires SECONDS] [--count N]
          replay FILE --kind hourly-steps --time-zone ZONE [--batch N]
                                      post real hourly step counts through the API; may be repeated;
                                      exit 1 when something was refused
          athletes import FILE --challenge NAME
                                      record the athletes of a CSV file id,name,score; may be repeated;
                                      exit 1 when something was refused
          verify [--all | --sub NAME] compare Redis, the daily totals and the workouts; exit 1 on a difference

          top [--once [--json]]       watch all instances as Redis has them, q quits; or print them once,
                                      for a person or for a script

          summary --sub NAME          show a person's last seven days as bars, with plan and goals
          demo [--sub NAME] [--time-zone ZONE]
                                      send a made-up fortnight of walks, a profile and a plan; may be repeated

        environment: STRIDE_POSTGRES_URL, STRIDE_REDIS_URL, STRIDE_GATEWAY_URL, STRIDE_INGEST_URL,
                     STRIDE_TOKEN_SECRET_FILE, STRIDE_TOKEN_ISSUER, STRIDE_TOKEN_AUDIENCE
        """

    /// Runs a command; the result is the exit status: 0 done, 1 failed or found a difference, 2 called wrongly.
    static func run(_ arguments: [String], environment: [String: String]) async -> Int32 {
        var settings = Settings(environment)
        var rest = Arguments(Array(arguments.dropFirst()))
        do {
            switch arguments.dropFirst().contains("--help") ? "help" : arguments.first {
            case "migrate": return try await Migrate.run(&rest, &settings)
            case "token": return try Token.run(&rest, &settings)
            case "replay": return try await Replay.run(&rest, &settings)
            case "athletes": return try await Athletes.run(&rest, &settings)
            case "verify": return try await Verify.run(&rest, &settings)
            case "top": return try await Top.run(&rest, &settings)
            case "summary": return try await Summary.run(&rest, &settings)
            case "demo": return try await Demo.run(&rest, &settings)
            case "help", "--help", "-h":
                print(usage)
                return 0
            case let word:
                if let word { Terminal.complain("unknown command: \(word)") }
                Terminal.explain(usage)
                return 2
            }
        } catch let fault as Arguments.Fault {
            Terminal.complain(fault.description)
            return 2
        } catch {
            Terminal.complain("\(error)")
            return 1
        }
    }
}
