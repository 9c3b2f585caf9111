import Groundwork
import JMAP
import Testing

/// The ids of the records that a request has created (RFC 8620 §3.3).
@Suite(.timeLimit(.minutes(5))) struct CreatedIDsTests {
    @Test func `only a reference to a known creation id is resolved`() {
        let ids: CreatedIDs = ["k": "m1"]
        #expect(ids.resolve("#k") == "m1")
        #expect(ids.resolve("#n") == "#n")
        #expect(ids.resolve("k") == "k")
        #expect(ids.resolve("#") == "#")
    }

    @Test func `of two records under one creation id, the later one counts`() {
        var ids: CreatedIDs = ["k": "m1", "n": "m2"]
        ids.merge(["k": "m3"])
        #expect(ids.json == ["k": "m3", "n": "m2"])
    }
}
