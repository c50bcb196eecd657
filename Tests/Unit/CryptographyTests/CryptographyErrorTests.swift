import Testing

@testable import Cryptography

@Suite("Errors of the cryptography library")
struct CryptographyErrorTests {
    @Test("anything but the answer 1 is an error that names what was being done", arguments: [0, -1, 2] as [Int32])
    func refusal(answer: Int32) {
        let error = #expect(throws: CryptographyError.self) { try ErrorQueue.drained(.authenticationCode) { answer } }
        #expect(error?.operation == .authenticationCode)
        #expect(error?.description == "the authentication code could not be computed")
    }

    @Test("a call leaves the queue empty")
    func emptyQueue() throws {
        _ = try SHA256.digest(of: [1, 2, 3])
        _ = try HMACSHA256(key: [1]).code(for: [1, 2, 3])
        #expect(ErrorQueue.drain() == 0)
    }
}
