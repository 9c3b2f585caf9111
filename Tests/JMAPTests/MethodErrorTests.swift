import Groundwork
import JMAP
import Testing

/// Errors of a call and of a record, as JSON.
@Suite(.timeLimit(.minutes(5))) struct MethodErrorTests {
    @Test(
        arguments: [
            .unknownMethod, .accountNotFound, .stateMismatch, .cannotCalculateChanges, .requestTooLarge("too many"),
            .invalidResultReference("nowhere"), .invalidArguments("a is missing"), MethodError("invented", "why"),
        ] as [MethodError]
    )
    func `a method error is the same after it is written and read`(error: MethodError) {
        #expect(MethodError(json: error.json) == error)
    }

    @Test func `an error without a type is a server failure`() {
        #expect(MethodError(json: [:]) == MethodError("serverFail"))
        #expect(MethodError(json: .null).type == "serverFail")
        #expect(SetError(json: ["type": 1]).type == "serverFail")
    }

    @Test func `an invalid-arguments error names the value's pointer`() {
        let error = JSONValueError(pointer: JSONPointer(["ids", "0"]), problem: "has to be a string")
        #expect(MethodError.invalidArguments(error) == .invalidArguments("/ids/0 has to be a string"))
    }

    @Test(arguments: [
        .notFound, SetError("invalidProperties", "why", properties: ["a", "b"]), SetError("x", properties: []),
    ])
    func `a set error is the same after it is written and read`(error: SetError) {
        #expect(SetError(json: error.json) == error)
    }
}
