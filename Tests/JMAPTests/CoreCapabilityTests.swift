import Groundwork
import JMAP
import Testing

/// A server's limits.
@Suite(.timeLimit(.minutes(5))) struct CoreCapabilityTests {
    @Test func `limits are the same after they are written and read`() {
        var core = CoreCapability()
        core.maxSizeUpload = 1
        core.maxConcurrentUpload = 2
        core.maxSizeRequest = 3
        core.maxConcurrentRequests = 4
        core.maxCallsInRequest = 5
        core.maxObjectsInGet = 6
        core.maxObjectsInSet = 7
        core.collationAlgorithms = ["i;octet"]
        #expect(CoreCapability(json: core.json) == core)
        #expect(core.json["collationAlgorithms"] == ["i;octet"])
        #expect(core.json.objectValue?.count == 8)
    }

    @Test func `a missing or invalid limit has its default`() {
        #expect(CoreCapability(json: .null) == CoreCapability())
        #expect(
            CoreCapability(json: ["maxObjectsInGet": 0, "maxObjectsInSet": -1, "maxCallsInRequest": "many"])
                == CoreCapability()
        )
    }
}
