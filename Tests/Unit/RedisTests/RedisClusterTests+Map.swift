import EventLoops
import Redis
import Testing

/// Maps of slots as servers should not send them.
extension RedisClusterTests {
    @Test("a map with holes: nobody is asked for these slots, and everything else works")
    func holes() async throws {
        try await onLoop { loop in
            let cluster = try FakeCluster(loop: loop)
            defer { cluster.stop() }
            cluster.slots = {
                [RESPText.slots(0, 12_181, cluster.ports[0]), RESPText.slots(12_183, 16_383, cluster.ports[1])]
            }
            let latest = loop.now.advanced(by: .seconds(10))
            try await cluster.withClient(waits: false) { client in
                var error: RedisError?
                while error != .server(.clusterDown), loop.now < latest {
                    error = await waitsInVain(client)
                }
                let replies = try await client.send([RedisCommand("GET", "foo"), RedisCommand("GET", "bar")])
                #expect(replies[0].error?.kind == .clusterDown)
                #expect(replies[1].text == "GET bar at 0")
                #expect(!client.isConnected)
                await #expect(throws: RedisError.server(.clusterDown)) {
                    _ = try await client.sendToEach([RedisCommand("PING")])
                }
                // As soon as somebody serves it, it is found.
                cluster.slots = { [RESPText.slots(0, 16_383, cluster.ports[0])] }
                try await eventually(loop) { client.isConnected }
                let reply = try await client.send(RedisCommand("GET", "foo"))
                #expect(reply.text == "GET foo at 0")
            }
        }
    }

    @Test("a server without a map, or with garbage for one, is passed over")
    func garbage() async throws {
        try await onLoop { loop in
            let cluster = try FakeCluster(loop: loop)
            defer { cluster.stop() }
            for text in [
                "-ERR This instance has cluster support disabled\r\n", "*1\r\n*1\r\n:7\r\n", ":3\r\n", "!!\r\n",
            ] {
                cluster.maps[0] = { $0.reply(text) }
                try await cluster.withClient { client in
                    let reply = try await client.send(RedisCommand("GET", "foo"))
                    #expect(reply.text == "GET foo at 0")
                }
            }
        }
    }
}

/// Why everything cannot be reached.
private func waitsInVain(_ client: RedisClient) async -> RedisError? {
    do throws(RedisError) {
        try await client.waitUntilReady(timeout: .milliseconds(20))
        return nil
    } catch {
        return error
    }
}
