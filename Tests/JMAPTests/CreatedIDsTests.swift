import Groundwork
import JMAP
import Testing

/// The ids of what a request has created (RFC 8620 §3.3).
@Suite(.timeLimit(.minutes(5))) struct CreatedIDsTests {
    @Test func aReference_isTheIDCreatedUnderIt_anythingElseStaysAsItIs() {
        let ids: CreatedIDs = ["k": "m1"]
        #expect(ids.resolve("#k") == "m1")
        #expect(ids.resolve("#n") == "#n")
        #expect(ids.resolve("k") == "k")
        #expect(ids.resolve("#") == "#")
    }

    @Test func ofTwoRecordsUnderOneCreationID_theLaterCounts() {
        var ids: CreatedIDs = ["k": "m1", "n": "m2"]
        ids.merge(["k": "m3"])
        #expect(ids.json == ["k": "m3", "n": "m2"])
    }
}
