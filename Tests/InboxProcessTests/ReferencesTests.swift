import Testing

@testable import inbox

/// References to messages on the command line.
@Suite(.timeLimit(.minutes(10))) struct ReferencesTests {
    private struct Thing: Referenceable {
        static let noun = "thing"
        static let listCommand = "inbox things"
        let id: String
        var headline: String { "Thing \(id)" }
    }

    private let references = References(known: ["m1abc", "m2abd", "abc"].map(Thing.init))

    @Test(arguments: [
        (["m1abc"], ["m1abc"]), (["1abc"], ["m1abc"]), (["abd", "m1abc"], ["m2abd", "m1abc"]),
        // The whole id of one message is the end of another.
        (["abc"], ["abc"]),
        // One message, named twice.
        (["m2abd", "abd", "m2abd"], ["m2abd"]),
    ])
    func `a unique end of an id is enough, and each message is found once`(names: [String], ids: [String]) throws {
        #expect(try references.resolve(names).map(\.id) == ids)
    }

    @Test func `references that match none don't keep the others from being found`() {
        let (found, failed) = references.resolveEach(["x", "m1abc", "1abc", "bc", "abd"])
        #expect(found.map(\.id) == ["m1abc", "m2abd"])
        #expect(failed.map { $0.reference } == ["x", "bc"])
        #expect(failed.first?.failure.description.contains("No thing") == true)
    }

    @Test(arguments: ["bc", "x", ""])
    func `a name that matches several or none is rejected`(name: String) {
        #expect(throws: Failure.self) { try references.resolve([name]) }
    }
}
