import Models
import ServiceKit
import Testing

@testable import ProgressService

/// Who may have everything read out at once.
@Suite struct ExportSeatTests {
    @Test("One user has two seats at most, all together as many as there are, and each is given back")
    func seats() throws {
        let seats = ExportSeats(limit: 3)
        func user(_ name: String) throws -> UserID {
            try Principal.userID(issuer: "https://issuer.test", subject: name)
        }
        let (anna, ben, cem) = (try user("anna"), try user("ben"), try user("cem"))
        var ofAnna = [seats.take(for: anna), seats.take(for: anna)]
        #expect(ofAnna.allSatisfy { $0 != nil })
        #expect(seats.take(for: anna) == nil)
        var ofBen = seats.take(for: ben)
        #expect(ofBen != nil)
        // All three are taken.
        #expect(seats.take(for: cem) == nil)
        ofAnna.removeLast()
        let ofCem = seats.take(for: cem)
        #expect(ofCem != nil)
        ofBen = nil
        let again = seats.take(for: anna)
        #expect(ofBen == nil && again != nil)
        withExtendedLifetime((ofAnna, ofCem, again)) {}
    }
}
