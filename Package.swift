// swift-tools-version: 6.3
import PackageDescription

/// What every Swift target is compiled with: the strictest the language offers, and no warning survives.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

/// For the modules that touch C: every unsafe expression carries the word `unsafe`.
let strictMemory: [SwiftSetting] = strict + [.strictMemorySafety()]

/// For what also runs in a browser: what Embedded Swift lacks is an error here too.
let portable: [SwiftSetting] = strict + [.treatWarning("EmbeddedRestrictions", as: .error)]

func shared(_ name: String, _ dependencies: [Target.Dependency] = [], touchesC: Bool = false) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Shared/\(name)",
        swiftSettings: touchesC ? strictMemory : strict)
}

func unitTests(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .testTarget(
        name: "\(name)Tests", dependencies: [.byName(name: name)] + dependencies,
        path: "Tests/Unit/\(name)Tests", swiftSettings: strict)
}

let package = Package(
    name: "stride",
    // For apps: what the standard library lends of a text's UTF-8 is there from these on. Linux has no such floor.
    platforms: [.iOS(.v26), .macOS(.v26)],
    products: [
        .library(name: "Models", targets: ["Models"]),
        .library(name: "Tracker", targets: ["Tracker"]),
        .library(name: "ClientCore", targets: ["ClientCore"]),
        .library(name: "ClientStore", targets: ["ClientStore"]),
        .executable(name: "core", targets: ["CoreExports"]),
        .executable(name: "core-check", targets: ["CoreCheck"]),
        .executable(name: "ingest", targets: ["IngestService"]),
        .executable(name: "plan", targets: ["PlanService"]),
        .executable(name: "progress", targets: ["ProgressService"]),
        .executable(name: "leaderboard", targets: ["LeaderboardService"]),
        .executable(name: "stride", targets: ["StrideTool"]),
    ],
    targets: [
        // C libraries, each imported by exactly one Swift target.
        .systemLibrary(name: "CUV", path: "Shared/CUV", pkgConfig: "libuv", providers: [.apt(["libuv1-dev"])]),
        .target(name: "CLLHTTP", path: "Shared/CLLHTTP", cSettings: [.define("LLHTTP_STRICT_MODE", to: "1")]),
        .systemLibrary(
            name: "CPostgres", path: "Shared/CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(
            name: "CHiredis", path: "Shared/CHiredis", pkgConfig: "hiredis", providers: [.apt(["libhiredis-dev"])]),
        .systemLibrary(
            name: "COpenSSL", path: "Shared/COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(
            name: "CSQLite", path: "Shared/CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CTLS", path: "Shared/CTLS", pkgConfig: "libssl", providers: [.apt(["libssl-dev"])]),

        // Layers; arrows point down only.
        shared("Models"),
        .target(name: "Tracker", path: "Shared/Tracker", swiftSettings: portable),
        .target(
            name: "ClientCore", dependencies: ["Models", "Tracker"], path: "Shared/ClientCore",
            swiftSettings: portable),
        shared("ClientStore", ["CSQLite", "ClientCore"], touchesC: true),
        .target(name: "WasmSupport", path: "Shared/WasmSupport"),
        .executableTarget(
            name: "CoreExports", dependencies: ["ClientCore", "WasmSupport"], path: "Shared/CoreExports",
            swiftSettings: strict),
        .executableTarget(
            name: "CoreCheck", dependencies: ["ClientCore", "WasmSupport"], path: "Shared/CoreCheck",
            swiftSettings: strict),
        shared("EventLoops", ["CUV"], touchesC: true),
        shared("Cryptography", ["COpenSSL"], touchesC: true),
        shared("TLS", ["CTLS", "EventLoops"], touchesC: true),
        shared("Telemetry", touchesC: true),
        shared("HTTP", ["CLLHTTP", "EventLoops"], touchesC: true),
        shared("Postgres", ["CPostgres", "TLS", "EventLoops"], touchesC: true),
        shared("Redis", ["CHiredis", "TLS", "EventLoops"], touchesC: true),
        shared("Storage", ["Models", "Postgres", "Redis", "EventLoops"]),
        shared("ServiceKit", ["Models", "HTTP", "Storage", "Telemetry", "Cryptography", "TLS", "EventLoops"]),

        .executableTarget(
            name: "IngestService", dependencies: ["ServiceKit", "Storage", "Models", "Postgres", "Redis"],
            path: "Services/Ingest",
            swiftSettings: strict),
        .executableTarget(
            name: "PlanService", dependencies: ["ServiceKit", "Storage", "Models", "Postgres"],
            path: "Services/Plan",
            swiftSettings: strict),
        .executableTarget(
            name: "ProgressService",
            dependencies: ["ServiceKit", "Storage", "Models", "HTTP", "Postgres", "Redis", "EventLoops", "Telemetry"],
            path: "Services/Progress",
            swiftSettings: strict),
        .executableTarget(
            name: "LeaderboardService",
            dependencies: [
                "ServiceKit", "Storage", "Models", "HTTP", "Postgres", "Redis", "EventLoops", "Telemetry",
                "Cryptography",
            ],
            path: "Services/Leaderboard",
            swiftSettings: strict),
        .executableTarget(
            name: "StrideTool",
            dependencies: ["ServiceKit", "Storage", "Models", "Postgres", "Redis", "EventLoops", "Cryptography"],
            path: "Services/Stride",
            swiftSettings: strict),

        .target(
            name: "StrideTestSupport",
            dependencies: [
                "Models", "EventLoops", "TLS", "Cryptography", "Postgres", "Redis", "Storage", "ServiceKit",
            ],
            path: "Tests/Support", swiftSettings: strict),
        .target(
            name: "StrideFaults", dependencies: ["StrideTestSupport", "EventLoops", "Models"],
            path: "Tests/Faults/Harness", swiftSettings: strict),
        .executableTarget(
            name: "FaultHarness", dependencies: ["StrideFaults", "StrideTestSupport"], path: "Tests/Faults/Command",
            swiftSettings: strict),
        .executableTarget(
            name: "TokenBenchmark", dependencies: ["StrideTestSupport", "ServiceKit", "Models", "Cryptography"],
            path: "Tests/Benchmarks/Tokens", swiftSettings: strict),
        .executableTarget(
            name: "LoadBenchmark", dependencies: ["StrideTestSupport", "EventLoops"], path: "Tests/Benchmarks/Load"),
        .executableTarget(
            name: "TrackerBenchmark", dependencies: ["Tracker"], path: "Tests/Benchmarks/Tracker",
            swiftSettings: strict),
        .testTarget(
            name: "IntegrationTests",
            dependencies: [
                "StrideTestSupport", "IngestService", "StrideTool", "Models", "EventLoops", "TLS", "Postgres", "Redis",
                "Storage", "ServiceKit", "Telemetry",
            ],
            path: "Tests/Integration", exclude: ["Plan", "Progress", "Leaderboard", "Redis"], swiftSettings: strict),
        .testTarget(
            name: "SystemTests",
            dependencies: [
                "StrideTestSupport", "StrideFaults", "IngestService", "PlanService", "ProgressService",
                "LeaderboardService", "StrideTool", "Models", "EventLoops", "TLS", "Redis", "Storage", "ServiceKit",
                "ClientCore", "ClientStore",
            ],
            path: "Tests/System", swiftSettings: strict),

        unitTests("Models"),
        unitTests("Tracker"),
        unitTests("ClientCore", ["Models", "Tracker", "StrideTestSupport"]),
        unitTests("ClientStore", ["ClientCore"]),
        unitTests("EventLoops", ["StrideTestSupport"]),
        unitTests("TLS", ["EventLoops", "HTTP", "StrideTestSupport"]),
        unitTests("Cryptography"),
        unitTests("Telemetry"),
        unitTests("HTTP", ["EventLoops", "StrideTestSupport"]),
        unitTests(
            "ServiceKit",
            [
                "EventLoops", "HTTP", "Storage", "Models", "Telemetry", "Cryptography", "Postgres", "Redis",
                "StrideTestSupport",
            ]),
        unitTests("StrideTool", ["ServiceKit", "Storage", "Models", "Postgres", "Redis", "EventLoops", "Telemetry"]),
        .testTarget(
            name: "StrideFaultsTests", dependencies: ["StrideFaults", "StrideTestSupport"],
            path: "Tests/Unit/StrideFaultsTests", swiftSettings: strict),
        unitTests("Postgres", ["StrideTestSupport", "EventLoops"]),
        unitTests("Redis", ["EventLoops", "TLS"]),

        .testTarget(
            name: "RedisIntegrationTests",
            dependencies: ["StrideTestSupport", "Redis", "TLS", "EventLoops"],
            path: "Tests/Integration/Redis", swiftSettings: strict),
        .testTarget(
            name: "PlanIntegrationTests",
            dependencies: [
                "StrideTestSupport", "PlanService", "IngestService", "ServiceKit", "Storage", "Models", "Postgres",
                "Redis",
                "EventLoops",
            ],
            path: "Tests/Integration/Plan", swiftSettings: strict),
        .testTarget(
            name: "LeaderboardIntegrationTests",
            dependencies: [
                "StrideTestSupport", "LeaderboardService", "StrideTool", "ServiceKit", "Storage", "Models", "Postgres",
                "Redis", "EventLoops", "Telemetry", "Cryptography",
            ],
            path: "Tests/Integration/Leaderboard", swiftSettings: strict),
        .testTarget(
            name: "ProgressIntegrationTests",
            dependencies: [
                "StrideTestSupport", "ProgressService", "ServiceKit", "Storage", "Models", "HTTP", "Postgres", "Redis",
                "EventLoops", "Telemetry", "Cryptography",
            ],
            path: "Tests/Integration/Progress", swiftSettings: strict),
    ]
)
