import Groundwork
import JMAP
import Testing

/// Responses as text (RFC 8620 §3.4).
@Suite(.timeLimit(.minutes(5))) struct ResponseTests {
    private func parse(_ text: String) throws -> Response { try Response(parsing: Array(text.utf8)) }

    @Test func `responses are found by call id`() throws {
        let response = try parse(
            #"""
            {"methodResponses":[["a/get",{"list":[{"id":"1"}]},"c1"],["b/set",{},"c1"],["error",{"type":"unknownMethod"},"c2"]],
             "sessionState":"s1","future":true}
            """#
        )
        #expect(response.sessionState == "s1")
        #expect(response.methodResponses.map(\.name) == ["a/get", "b/set", "error"])
        #expect(response.answer(to: "c1")?.name == "a/get")
        #expect(response.answer(to: "c1")?.arguments["list"]?.elements?.first?["id"]?.value == "1")
        let error = try #require(response.answer(to: "c2"))
        #expect(MethodError(json: error.arguments.value) == .unknownMethod)
        #expect(response.answer(to: "c3") == nil)
    }

    @Test func `a missing session state is empty`() throws {
        #expect(try parse(#"{"methodResponses":[]}"#).sessionState.isEmpty)
    }

    @Test func `text that isn't JSON throws its syntax error`() {
        #expect(throws: JSONSyntaxError.self) { try parse("<html>") }
    }

    @Test(arguments: ["[]", "1", "{}", #"{"methodResponses":{}}"#, #"{"methodResponses":null}"#])
    func `JSON of another shape isn't a response`(text: String) {
        #expect(throws: JSONValueError.self) { try parse(text) }
    }

    @Test(arguments: ["1", "[]", #"["a",{}]"#, #"["a",{},"c",1]"#, #"[1,{},"c"]"#, #"["a",{},1]"#])
    func `a method response of another shape is rejected`(answer: String) {
        #expect(
            throws: JSONValueError(
                pointer: JSONPointer(["methodResponses"]),
                problem: "has an element that isn't a name, arguments and a call id"
            )
        ) { try parse(#"{"methodResponses":[\#(answer)]}"#) }
    }
}
