import Foundation
import Testing

@testable import Replica

@Suite(.timeLimit(.minutes(5))) struct StoreLocationTests {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("location-\(UUID())")

    func name(_ server: String, _ person: String) -> String {
        StoreLocation(directory: directory, server: URL(string: server)!, person: person).file.lastPathComponent
    }

    @Test func `each person on each server has a separate file with an opaque name`() {
        let names = [
            name("https://a.example", "alice"), name("https://a.example", "bob"), name("https://b.example", "alice"),
            name("https://a.examplea", "lice"), name("https://a.example", "é"), name("https://a.example", "e\u{301}"),
        ]
        #expect(Set(names).count == names.count)
        #expect(names[0].wholeMatch(of: #/[0-9a-f]{64}\.sqlite/#) != nil)
    }
}
