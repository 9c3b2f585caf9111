import Groundwork
import JMAP
import Testing

/// The problem documents of requests that are rejected as a whole (RFC 8620 §3.6.1).
@Suite(.timeLimit(.minutes(5))) struct RequestErrorTests {
    @Test func `problem documents have a type, a status and details`() {
        #expect(
            RequestError.notRequest("/using is required").json
                == ["type": "urn:ietf:params:jmap:error:notRequest", "status": 400, "detail": "/using is required"]
        )
        #expect(RequestError.unknownCapability("urn:x").json["type"] == "urn:ietf:params:jmap:error:unknownCapability")
        #expect(RequestError.unknownCapability("urn:x").json["detail"]?.stringValue?.contains("urn:x") == true)
        #expect(
            RequestError.limit("maxCallsInRequest", detail: "33 calls").json
                == [
                    "type": "urn:ietf:params:jmap:error:limit", "status": 400, "limit": "maxCallsInRequest",
                    "detail": "33 calls",
                ]
        )
    }

    @Test func `exceeding a concurrency limit is 429`() {
        #expect(RequestError.limit("maxConcurrentRequests", detail: "").status == 429)
        #expect(RequestError.limit("maxConcurrentUpload", detail: "").json["status"] == 429)
        #expect(RequestError.limit("maxSizeRequest", detail: "").status == 400)
    }
}
