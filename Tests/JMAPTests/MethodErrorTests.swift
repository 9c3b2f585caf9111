import Groundwork
import JMAP
import Testing

/// Errors of a call and of a record: as JSON, and back.
@Suite(.timeLimit(.minutes(5))) struct MethodErrorTests {
    @Test(
        arguments: [
            .unknownMethod, .accountNotFound, .stateMismatch, .cannotCalculateChanges, .requestTooLarge("too many"),
            .invalidResultReference("nowhere"), .invalidArguments("a is missing"), MethodError("invented", "why"),
        ] as [MethodError]
    )
    func methodError_writtenAndRead_isTheSame(error: MethodError) {
        #expect(MethodError(json: error.json) == error)
    }

    @Test func errorWithoutAType_isAFailureOfTheServer() {
        #expect(MethodError(json: [:]) == MethodError("serverFail"))
        #expect(MethodError(json: .null).type == "serverFail")
        #expect(SetError(json: ["type": 1]).type == "serverFail")
    }

    @Test func valueError_namesItsPlace() {
        let error = JSONValueError(pointer: JSONPointer(["ids", "0"]), problem: "has to be a string")
        #expect(MethodError.invalidArguments(error) == .invalidArguments("/ids/0 has to be a string"))
    }

    @Test(arguments: [
        .notFound, SetError("invalidProperties", "why", properties: ["a", "b"]), SetError("x", properties: []),
    ])
    func setError_writtenAndRead_isTheSame(error: SetError) {
        #expect(SetError(json: error.json) == error)
    }
}
