import Models

extension Client {
    /// The next batch: what waits, in order of start, as many as go into one call; nil if nothing does.
    func nextUpload() -> (Errand, ClientRequest)? {
        var sent: [(id: UUIDValue, version: Workout.Version)] = []
        for workout in workouts.items where isDue(workout) {
            sent.append((workout.id, workout.version))
            if sent.count >= sync.batchLimit { break }
        }
        guard !sent.isEmpty else { return nil }
        var writer = JSONWriter(reserving: 64 + sent.count * 300)
        writer.beginObject()
        writer.name("workouts")
        writer.beginArray()
        for (id, _) in sent {
            guard var workout = workouts[id] else { continue }
            if !workout.wasTried {
                // Known before it goes out: whatever happens then, the server may have it.
                workout.wasTried = true
                put(workout)
            }
            if workout.isLive { session.wantsUpload = false }
            workout.write(to: &writer)
        }
        writer.endArray()
        writer.endObject()
        return (.upload(sent), request("POST", "/v1/workouts/batch", writer.bytes))
    }

    /// The next deletion that the server can be told; nil if there is none.
    func nextDeletion() -> (Errand, ClientRequest)? {
        for workout in workouts.items where workout.state == .deleting {
            guard let id = workout.serverID else { continue }
            var path = JSONWriter(reserving: 24)
            path.integer(id)
            return (
                .deleteWorkout(workout.id),
                request("DELETE", "/v1/workouts/" + String(decoding: path.bytes, as: UTF8.self), nil)
            )
        }
        return nil
    }

    /// Whether a workout is to be sent: it waits and does not grow any more, or it is time to say how far it has grown.
    ///
    /// One that is to be deleted, but may be on the server under a name that was not heard, is sent to learn that name.
    private func isDue(_ workout: Workout) -> Bool {
        if workout.state == .deleting { return workout.serverID == nil }
        return workout.isWaiting && (!workout.isLive || session.wantsUpload)
    }

    /// A request that the host sends with the token.
    func request(_ method: String, _ path: String, _ body: [UInt8]?, isAuthenticated: Bool = true) -> ClientRequest {
        ClientRequest(id: 0, method: method, path: path, body: body, isAuthenticated: isAuthenticated)
    }
}

extension Workout {
    /// A workout as the services take it.
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("requestId", id.description)
        writer.member("start_time", start)
        writer.member("end_time", version.end)
        writer.member("steps", Int64(version.steps))
        writer.member("distance", Millimetres(version.millimetres))
        writer.member("time_zone", zone)
        writer.member("status", version.isOpen ? "IN_PROGRESS" : "COMPLETE")
        writer.member("source", source == .manual ? "manual" : "auto")
        if let device { writer.member("device_id", device) }
        writer.endObject()
    }
}
