import Groundwork
import JMAP
import Testing

/// Arguments from earlier results (RFC 8620 §3.7).
@Suite(.timeLimit(.minutes(5))) struct ResultReferenceTests {
    private func value(_ path: String, in json: JSON) -> JSON? {
        ResultReference(resultOf: "c", name: "n", path: path).value(in: json)
    }

    /// The results of the first example of RFC 8620 §3.7, shortened.
    private let emails: JSON = [
        "list": [
            ["id": "msg1023", "threadId": "trd194"], ["id": "msg223", "threadId": "trd114"],
            ["id": "msg110", "threadId": "trd99"],
        ]
    ]
    private let threads: JSON = [
        "list": [
            ["id": "trd194", "emailIds": ["msg1020", "msg1021", "msg1023"]],
            ["id": "trd114", "emailIds": ["msg201", "msg223"]],
            ["id": "trd99", "emailIds": []],
        ]
    ]

    @Test func `a star takes each element`() {
        #expect(value("/list/*/threadId", in: emails) == ["trd194", "trd114", "trd99"])
        #expect(value("/list/*/id", in: emails) == ["msg1023", "msg223", "msg110"])
        #expect(value("/list/*", in: ["list": [1, 2]]) == [1, 2])
        #expect(value("/list/*/id", in: ["list": []]) == [])
    }

    @Test func `arrays below a star are joined`() {
        #expect(
            value("/list/*/emailIds", in: threads) == ["msg1020", "msg1021", "msg1023", "msg201", "msg223"]
        )
        #expect(value("/list/*/emailIds/*", in: threads) == value("/list/*/emailIds", in: threads))
    }

    @Test func `nested stars build one list`() {
        let json: JSON = ["a": [["b": [["c": 1], ["c": 2]]], ["b": []], ["b": [["c": 3]]]]]
        #expect(value("/a/*/b/*/c", in: json) == [1, 2, 3])
        #expect(value("/*/*", in: [[1, 2], [3]]) == [1, 2, 3])
        // One level only: nested arrays of the joined arrays stay nested.
        #expect(value("/*", in: [[[1]], [2]]) == [[1], 2])
    }

    @Test func `members and indices are followed`() {
        let json: JSON = ["a/b": [10, ["c": "x"]], "": 1, "*": 2, "~": .null]
        #expect(value("/a~1b/1/c", in: json) == "x")
        #expect(value("/a~1b/0", in: json) == 10)
        #expect(value("/", in: json) == 1)
        #expect(value("/*", in: json) == 2)
        #expect(value("/~0", in: json) == .null)
        #expect(value("", in: json) == json)
    }

    @Test(arguments: [
        "/absent", "/list/3", "/list/00", "/list/01", "/list/-", "/list/-1", "/list/+1", "/list/1e0", "/list/",
        "/list/١",
        "/list/99999999999999999999", "/list/*/absent", "/list/0/id/x", "/list/*/id/*", "list", "/~", "/list/*/~2",
    ])
    func `a path to nothing has no value`(path: String) {
        #expect(value(path, in: emails) == nil)
    }

    @Test func `an element without the member makes the whole path fail`() {
        #expect(value("/list/*/id", in: ["list": [["id": "1"], ["other": "2"]]]) == nil)
    }

    // MARK: - In arguments

    private func resolve(_ arguments: JSON) throws -> JSONObject {
        try (arguments.objectValue ?? JSONObject()).resolvingReferences { reference in
            reference.resultOf == "t0" && reference.name == "Email/get" ? emails : nil
        }
    }

    private func type(_ arguments: JSON) -> String? {
        do {
            _ = try resolve(arguments)
            return nil
        } catch {
            return (error as? MethodError)?.type
        }
    }

    private let reference: JSON = ["resultOf": "t0", "name": "Email/get", "path": "/list/*/threadId"]

    @Test func `a reference is replaced by its value in place`() throws {
        let resolved = try resolve(["accountId": "a", "#ids": reference, "properties": .null])
        #expect(
            JSON.object(resolved).description
                == #"{"accountId":"a","ids":["trd194","trd114","trd99"],"properties":null}"#
        )
        #expect(try resolve(["ids": ["a"]]) == JSONObject([("ids", ["a"])]))
    }

    @Test func `an argument with a value and a reference is invalid`() {
        #expect(type(["ids": ["a"], "#ids": reference]) == "invalidArguments")
        #expect(type(["#ids": reference, "ids": ["a"]]) == "invalidArguments")
    }

    @Test(
        arguments: [
            "text", [:], ["resultOf": "t0", "name": "Email/get"],
            ["resultOf": 0, "name": "Email/get", "path": "/list"],
            ["resultOf": "t1", "name": "Email/get", "path": "/list"],
            ["resultOf": "t0", "name": "Email/set", "path": "/list"],
            ["resultOf": "t0", "name": "Email/get", "path": "/absent"],
            ["resultOf": "t0", "name": "Email/get", "path": "list"],
        ] as [JSON]
    )
    func `an invalid reference is an error`(reference: JSON) {
        #expect(type(["#ids": reference]) == "invalidResultReference")
    }

    @Test func `a reference is the same after it is written and read`() throws {
        let reference = ResultReference(resultOf: "a", name: "b", path: "/c/*")
        #expect(try ResultReference(reading: JSONReader(reference.json)) == reference)
    }
}
