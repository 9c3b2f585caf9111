import Groundwork
import JMAP
import Testing

/// The arguments of the standard methods, as a server reads them.
@Suite(.timeLimit(.minutes(5))) struct ArgumentsTests {
    private func problem<T>(_ json: JSON, _ read: (JSONReader) throws -> T) -> String? {
        do {
            _ = try read(JSONReader(json))
            return nil
        } catch {
            return (error as? JSONValueError)?.description
        }
    }

    @Test func `get takes ids and properties, or all of them`() throws {
        let some = try GetArguments(reading: JSONReader(["accountId": "a", "ids": ["1"], "properties": ["id"]]))
        #expect(some.accountID == "a")
        #expect(some.ids == ["1"])
        #expect(some.properties == ["id"])
        let all = try GetArguments(reading: JSONReader(["accountId": "a", "ids": .null]))
        #expect(all.ids == nil)
        #expect(all.properties == nil)
        #expect(problem(["ids": []], { try GetArguments(reading: $0) }) == "/accountId is required")
        #expect(
            problem(["accountId": "a", "ids": [1]], { try GetArguments(reading: $0) }) == "/ids/0 has to be a string"
        )
        #expect(
            problem(["accountId": "a", "id": "1"], { try GetArguments(reading: $0) })?.hasPrefix(
                "/id is not a known field"
            ) == true
        )
    }

    @Test func `get of a type with ids of its own takes any of them, and no other value`() throws {
        func read(_ json: JSON) throws -> GetArguments {
            try GetArguments(reading: JSONReader(json)) { (id) throws(JSONValueError) in try id.string(maxBytes: 3) }
        }
        #expect(try read(["accountId": "a", "ids": ["a.b", "#x", "ü"]]).ids == ["a.b", "#x", "ü"])
        #expect(try read(["accountId": "a", "ids": .null]).ids == nil)
        #expect(throws: JSONValueError(pointer: JSONPointer(["ids", "1"]), problem: "has more than 3 bytes")) {
            try read(["accountId": "a", "ids": ["a", "long"]])
        }
        #expect(throws: JSONValueError(pointer: JSONPointer(["ids", "0"]), problem: "has to be a string")) {
            try read(["accountId": "a", "ids": [1]])
        }
    }

    @Test func `changes takes a state and a limit of at least 1`() throws {
        let arguments = try ChangesArguments(
            reading: JSONReader(["accountId": "a", "sinceState": "s", "maxChanges": 1])
        )
        #expect(arguments.sinceState == "s")
        #expect(arguments.maxChanges == 1)
        #expect(problem(["accountId": "a"], ChangesArguments.init) == "/sinceState is required")
        let none: JSON = ["accountId": "a", "sinceState": "s", "maxChanges": 0]
        #expect(problem(none, ChangesArguments.init) == "/maxChanges has to be from 1 to 9007199254740991")
    }

    @Test func `set counts its records and takes a batch`() throws {
        let json: JSON = [
            "accountId": "a", "ifInState": "s", "create": ["k": [:]], "update": ["1": [:], "2": [:]], "destroy": ["3"],
            "batch": ["epoch": "e1", "number": 7],
        ]
        let arguments = try SetArguments(reading: JSONReader(json))
        #expect(arguments.count == 4)
        #expect(arguments.ifInState == "s")
        #expect(arguments.batch == Batch(epoch: "e1", number: 7))
        let empty = try SetArguments(
            reading: JSONReader(["accountId": "a", "create": .null, "update": .null, "destroy": .null])
        )
        #expect(empty.count == 0)
        #expect(empty.batch == nil)
    }

    @Test(arguments: [
        (#"{"epoch":"e","number":0}"#, "/batch/number has to be from 1 to 9007199254740991"),
        (#"{"epoch":"e","number":1.5}"#, "/batch/number has to be a whole number"),
        (#"{"number":1}"#, "/batch/epoch is required"),
        (#"{"epoch":"","number":1}"#, "/batch/epoch has to be an id: 1 to 255 of A-Z a-z 0-9 - _"),
        (#"{"epoch":"e","number":1,"more":1}"#, "/batch/more is not a known field; known are epoch, number"),
    ])
    func `an error about an invalid batch names its member`(batch: String, expected: String) throws {
        let json: JSON = ["accountId": "a", "batch": try JSON(parsing: batch.utf8)]
        #expect(problem(json, { try SetArguments(reading: $0) }) == expected)
    }

    @Test func `a batch is the same after it is written and read`() throws {
        let batch = Batch(epoch: "e", number: 9_007_199_254_740_991)
        #expect(try Batch(reading: JSONReader(batch.json)) == batch)
    }

    @Test func `ids can refer to records that the request created`() throws {
        let get = try GetArguments(
            reading: JSONReader(["accountId": "a", "ids": ["#k", "1", "#n"]]),
            createdIDs: ["k": "7"]
        )
        #expect(get.ids == ["7", "1", "#n"])
        let set = try SetArguments(
            reading: JSONReader(["accountId": "a", "update": ["#k": [:], "#n": [:]], "destroy": ["#k"]]),
            createdIDs: ["k": "7"]
        )
        #expect(set.update.names == ["7", "#n"])
        #expect(set.destroy == ["7"])
        #expect(
            problem(["accountId": "a", "update": ["7": [:], "#k": [:]]]) {
                try SetArguments(reading: $0, createdIDs: ["k": "7"])
            } == "/update/#k refers to a record that update already contains"
        )
    }

    @Test func `copy takes two accounts and the extra members it allows`() throws {
        let json: JSON = ["fromAccountId": "a", "accountId": "b", "blobIds": []]
        let arguments = try CopyArguments(reading: JSONReader(json), others: ["blobIds"])
        #expect(arguments.fromAccountID == "a")
        #expect(arguments.accountID == "b")
        #expect(problem(json) { try CopyArguments(reading: $0, others: []) }?.hasPrefix("/blobIds is not") == true)
        #expect(
            problem(["accountId": "b"]) { try CopyArguments(reading: $0, others: []) } == "/fromAccountId is required"
        )
    }
}
