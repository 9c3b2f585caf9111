import Groundwork
import JMAP
import Testing

/// Requests as text (RFC 8620 §3.3).
@Suite(.timeLimit(.minutes(5))) struct RequestTests {
    private func parse(_ text: String) throws(RequestError) -> Request { try Request(parsing: Array(text.utf8)) }

    /// The shape of the example in RFC 8620 §3.3.1.
    @Test func `method calls are read in order`() throws {
        let request = try parse(
            #"""
            {"using":["urn:ietf:params:jmap:core"],
             "methodCalls":[["method1",{"arg1":"a"},"c1"],["method2",{},"c2"],["method1",{"#ids":{}},"c1"]]}
            """#
        )
        #expect(request.using == ["urn:ietf:params:jmap:core"])
        #expect(request.methodCalls.map(\.name) == ["method1", "method2", "method1"])
        #expect(request.methodCalls.map(\.callID) == ["c1", "c2", "c1"])
        #expect(request.methodCalls[0].arguments["arg1"] == "a")
        #expect(request.createdIds == nil)
    }

    @Test func `a request is the same after it is written and read`() throws {
        let calls = [Invocation("InboxMessage/get", JSONObject([("accountId", "a"), ("ids", .null)]), callID: "0")]
        for createdIds in [nil, [:], ["k1": "id1", "k2": "id2"]] as [CreatedIDs?] {
            let request = Request(using: ["a", "b"], methodCalls: calls, createdIds: createdIds)
            #expect(try Request(parsing: request.json.utf8) == request)
        }
    }

    @Test func `unknown members are ignored`() throws {
        #expect(try parse(#"{"using":[],"methodCalls":[],"future":1}"#) == Request(using: [], methodCalls: []))
    }

    @Test(arguments: [
        "", "nonsense", "{", #"{"using":[],"using":[],"methodCalls":[]}"#, #"{"using":["\ud800"],"methodCalls":[]}"#,
    ])
    func `text that isn't I-JSON is a notJSON error`(text: String) {
        #expect {
            try parse(text)
        } throws: { error in
            guard case RequestError.notJSON = error else { return false }
            return (error as? RequestError)?.json["type"] == "urn:ietf:params:jmap:error:notJSON"
        }
    }

    @Test(arguments: [
        ("[]", "/using is required"),
        (#"{"using":[]}"#, "/methodCalls is required"),
        (#"{"methodCalls":[]}"#, "/using is required"),
        (#"{"using":"a","methodCalls":[]}"#, "/using has to be an array"),
        (#"{"using":[1],"methodCalls":[]}"#, "/using/0 has to be a string"),
        (#"{"using":[],"methodCalls":{}}"#, "/methodCalls has to be an array"),
        (#"{"using":[],"methodCalls":["a"]}"#, "/methodCalls/0 has to be an array"),
        (
            #"{"using":[],"methodCalls":[["a",{},"c"],["a",{}]]}"#,
            "/methodCalls/1 has to be an array of a name, arguments and a call id"
        ),
        (#"{"using":[],"methodCalls":[[1,{},"c"]]}"#, "/methodCalls/0/0 has to be a string"),
        (#"{"using":[],"methodCalls":[["a",[],"c"]]}"#, "/methodCalls/0/1 has to be an object"),
        (#"{"using":[],"methodCalls":[["a",{},2]]}"#, "/methodCalls/0/2 has to be a string"),
        (#"{"using":[],"methodCalls":[],"createdIds":{"a":1}}"#, "/createdIds/a has to be a string"),
        (
            ##"{"using":[],"methodCalls":[],"createdIds":{"a":"#b"}}"##,
            "/createdIds has to have ids as names and as values"
        ),
    ])
    func `JSON of another shape is a notRequest error`(text: String, detail: String) {
        #expect(throws: RequestError.notRequest(detail)) { try parse(text) }
    }
}
