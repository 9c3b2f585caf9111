import Testing

@testable import Replica

/// The values of the documents that a transaction has stored.
@Suite(.timeLimit(.minutes(5))) struct StoredDocumentsTests {
    private let documents = StoredDocuments()
    private let kind = DeviceRecordKind("letter")

    private func value(_ id: String) -> String? { documents.value(kind, id) }

    @Test func `ids that spell one character differently are those of two documents`() {
        documents.set("composed", kind, "caf\u{E9}")
        documents.set("decomposed", kind, "cafe\u{301}")
        #expect(value("caf\u{E9}") == "composed")
        #expect(value("cafe\u{301}") == "decomposed")
        documents.set(nil, kind, "cafe\u{301}")
        #expect(value("caf\u{E9}") == "composed")
        #expect(value("cafe\u{301}") == nil)
    }

    @Test func `a transaction that stores thousands of documents holds the values of a few`() {
        let ids = (1...1_000).map { "\($0)" }
        for id in ids { documents.set(id, kind, id) }
        let held = ids.filter { value($0) != nil }
        #expect(held.last == "1000" && held.count < 100)
        #expect(held.allSatisfy { value($0) == $0 })
    }
}
