import Models
import Testing

@testable import StrideTool

/// Files of athletes.
@Suite struct AthleteFileTests {
    private func read(_ text: String) -> AthleteFile { AthleteFile(Array(text.utf8)) }

    @Test("Header, quotes, empty scores, both ends of lines and a byte order mark are understood")
    func understood() {
        let file = read("\u{FEFF}id,name,score\r\n51,Tia,232\r\n-2,\"Fraser, \"\"Mat\"\"\",\n\n7, Ann ,-5\n8,Bob")
        #expect(file.badRows.isEmpty && file.athletes.map(\.id) == [51, -2, 7, 8])
        #expect(file.athletes.map(\.entry.name) == ["Tia", "Fraser, \"Mat\"", " Ann ", "Bob"])
        #expect(file.athletes.map(\.entry.score) == [232, nil, -5, nil])
        #expect(read("1,A,2").athletes.count == 1 && read("").athletes.isEmpty)
    }

    @Test("Every bad row is named by its line, and the good ones round it are kept")
    func bad() {
        let file = read(
            """
            id,name,score
            1,A,5
            x,B,5
            2,,5
            3,C,5.5
            4,D,9007199254740992
            5
            6,E,7,8
            "7,F
            G",1
            8,"H"h,1
            9,I,9
            10,"J
            """)
        #expect(file.athletes.map(\.id) == [1, 9])
        #expect(file.badRows.map(\.line) == [3, 4, 5, 6, 7, 8, 9, 11, 13])
        var bytes = Array("1,A,1\n2,".utf8)
        bytes += [0xFF] + Array(",1\n3,C,1\n".utf8)
        #expect(AthleteFile(bytes).badRows.map(\.line) == [2] && AthleteFile(bytes).athletes.map(\.id) == [1, 3])
    }
}
