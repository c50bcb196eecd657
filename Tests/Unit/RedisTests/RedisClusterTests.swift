import EventLoops
import Redis
import Testing

/// A client of a cluster against servers that say what a test wants.
@Suite("A client of a cluster follows what the servers say, and not for ever")
struct RedisClusterTests {
    @Test("MOVED: the command goes where it was sent, and the next ones go there at once")
    func moved() async throws {
        try await onLoop { loop in
            let cluster = try FakeCluster(loop: loop)
            defer { cluster.stop() }
            cluster.answers[0] = { command, connection in
                connection.reply("-MOVED 12182 127.0.0.1:\(cluster.ports[1])\r\n")
            }
            try await cluster.withClient { client in
                cluster.slots = { [RESPText.slots(0, 16_383, cluster.ports[1])] }
                for _ in 0..<3 {
                    let reply = try await client.send(RedisCommand("GET", "foo"))
                    #expect(reply.text == "GET foo at 1")
                }
                #expect(client.counters.movedReplies == 1)
                // The map is looked at anew.
                try await eventually(loop) { client.counters.mapLooks > 1 }
            }
        }
    }

    @Test("a MOVED without a host means the server that was asked")
    func movedToItself() async throws {
        try await onLoop { loop in
            let cluster = try FakeCluster(loop: loop)
            defer { cluster.stop() }
            var refusals = 1
            cluster.answers[0] = { command, connection in
                refusals -= 1
                connection.reply(refusals >= 0 ? "-MOVED 12182 :\(cluster.ports[0])\r\n" : "+here\r\n")
            }
            try await cluster.withClient { client in
                let reply = try await client.send(RedisCommand("GET", "foo"))
                #expect(reply.text == "here")
            }
        }
    }

    @Test("redirections in a circle end, and the last of them is the reply")
    func loop() async throws {
        try await onLoop { loop in
            let cluster = try FakeCluster(loop: loop)
            defer { cluster.stop() }
            for (index, other) in [(0, 1), (1, 0)] {
                cluster.answers[index] = { _, connection in
                    connection.reply("-MOVED 12182 127.0.0.1:\(cluster.ports[other])\r\n")
                }
            }
            try await cluster.withClient { client in
                let reply = try await client.send(RedisCommand("GET", "foo"))
                #expect(reply.error?.disposition == .redirected)
                #expect(client.counters.movedReplies == 3)
                #expect(cluster.gets == 4)
                // The others of an exchange have their replies.
                let replies = try await client.send([RedisCommand("GET", "{bar}"), RedisCommand("GET", "foo")])
                #expect(replies[1].error?.disposition == .redirected)
                #expect(replies[0].error?.disposition == .redirected)
            }
        }
    }

    @Test("a MOVED to a host that does not exist fails that exchange and no other one")
    func nowhere() async throws {
        try await onLoop { loop in
            let cluster = try FakeCluster(loop: loop)
            defer { cluster.stop() }
            cluster.answers[0] = { command, connection in
                connection.reply(
                    command.last == "foo" ? "-MOVED 12182 no-such-host.invalid:7000\r\n" : "+fine\r\n")
            }
            try await cluster.withClient { client in
                #expect(await failure(client, RedisCommand("GET", "foo"))?.disposition == .unavailable)
                let reply = try await client.send(RedisCommand("GET", "hello"))
                #expect(reply.text == "fine")
            }
        }
    }

    @Test("ASK: the named server gets ASKING and this one command, the map stays")
    func ask() async throws {
        try await onLoop { loop in
            let cluster = try FakeCluster(loop: loop)
            defer { cluster.stop() }
            cluster.answers[0] = { command, connection in
                connection.reply(
                    command.last == "foo" ? "-ASK 12182 127.0.0.1:\(cluster.ports[1])\r\n" : "+stays\r\n")
            }
            let script = RedisScript("return 1")
            try await cluster.withClient(scripts: [script]) { client in
                let replies = try await client.send([
                    RedisCommand("GET", "foo"), RedisCommand("GET", "{foo}2"), RedisCommand("SET", "x", "foo"),
                ])
                #expect(replies.map(\.text) == ["GET foo at 1", "stays", "SET x foo at 1"])
                _ = try await client.send(RedisCommand(script, keys: ["foo"], values: ["foo"]))
                #expect(client.counters.askReplies >= 2)
                #expect(client.counters.movedReplies == 0)
                let second = cluster.commands(of: 1).filter { $0[0] != "CLUSTER" }
                #expect(second.first == ["ASKING"])
                #expect(second.contains(["EVAL", "return 1", "1", "foo", "foo"]))
            }
        }
    }

    @Test("TRYAGAIN: again until it works, and no longer than the deadline")
    func tryAgain() async throws {
        try await onLoop { loop in
            let cluster = try FakeCluster(loop: loop)
            defer { cluster.stop() }
            var refusals = 4
            cluster.answers[0] = { _, connection in
                refusals -= 1
                connection.reply(refusals >= 0 ? "-TRYAGAIN later\r\n" : "+now\r\n")
            }
            try await cluster.withClient { client in
                #expect(try await client.send(RedisCommand("GET", "foo")).text == "now")
                #expect(client.counters.tryAgainReplies == 4)
                refusals = .max
                let reply = try await client.send(RedisCommand("GET", "foo"), timeout: .milliseconds(1500))
                #expect(reply.error?.kind == .tryAgain)
                #expect(client.counters.timeouts == 0)
            }
        }
    }

    @Test("CLUSTERDOWN is the reply of that command, and the map is looked at anew")
    func clusterDown() async throws {
        try await onLoop { loop in
            let cluster = try FakeCluster(loop: loop)
            defer { cluster.stop() }
            cluster.answers[0] = { _, connection in connection.reply("-CLUSTERDOWN The cluster is down\r\n") }
            try await cluster.withClient { client in
                let looks = client.counters.mapLooks
                let reply = try await client.send(RedisCommand("GET", "foo"))
                #expect(reply.error?.kind == .clusterDown)
                #expect(reply.error?.disposition == .unavailable)
                try await eventually(loop) { client.counters.mapLooks > looks }
            }
        }
    }

    @Test("servers of one exchange are asked at once, replies come in order, and one that is silent fails it alone")
    func parallel() async throws {
        try await onLoop { loop in
            let cluster = try FakeCluster(loop: loop)
            defer { cluster.stop() }
            cluster.slots = {
                [RESPText.slots(0, 9999, cluster.ports[0]), RESPText.slots(10_000, 16_383, cluster.ports[1])]
            }
            // Each answers only when the other one has been asked too.
            var asked: [Int: FakeConnection] = [:]
            for index in 0..<2 {
                cluster.answers[index] = { _, connection in
                    asked[index] = connection
                    guard asked.count == 2 else { return }
                    for (index, connection) in asked { connection.reply("+server \(index)\r\n") }
                }
            }
            try await cluster.withClient { client in
                let replies = try await client.send([RedisCommand("GET", "foo"), RedisCommand("GET", "bar")])
                #expect(replies.map(\.text) == ["server 1", "server 0"])
                cluster.answers[0] = { _, _ in }
                cluster.answers[1] = { _, connection in connection.reply("+second\r\n") }
                let both = [RedisCommand("GET", "foo"), RedisCommand("GET", "bar")]
                await #expect(throws: RedisError.timedOut) { try await client.send(both, timeout: .milliseconds(50)) }
                let reply = try await client.send(RedisCommand("GET", "foo"))
                #expect(reply.text == "second")
            }
        }
    }

    @Test("close ends what waits for a server that the map has let go of")
    func closedWhileLeaving() async throws {
        try await onLoop { loop in
            let cluster = try FakeCluster(loop: loop)
            defer { cluster.stop() }
            cluster.slots = {
                [RESPText.slots(0, 9999, cluster.ports[0]), RESPText.slots(10_000, 16_383, cluster.ports[1])]
            }
            try await cluster.withClient { client in
                // The first server never answers, so the next look at the map has to begin with the second one.
                if client.counters.mapLooks % 2 == 1 { _ = try await client.sendToEach([RedisCommand("PING")]) }
                cluster.answers[0] = { _, _ in }
                let waits = Task(executorPreference: loop) { await failure(client, RedisCommand("GET", "bar")) }
                try await eventually(loop) { cluster.gets == 1 }
                cluster.slots = { [RESPText.slots(0, 16_383, cluster.ports[1])] }
                // It was asked since the look before the first of these; after the second one it is not needed any more.
                for _ in 0..<2 { _ = try await client.sendToEach([RedisCommand("PING")]) }
                let earliest = loop.now
                client.close()
                #expect(await waits.value == .connectionLost(outcomeUnknown: true))
                #expect(earliest.duration(to: loop.now) < .seconds(10))
            }
        }
    }
}
