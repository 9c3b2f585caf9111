import Groundwork
import JMAP
import Testing

/// The arguments of the standard methods, as a server reads them.
@Suite struct ArgumentsTests {
    private func problem<T>(_ json: JSON, _ read: (JSONReader) throws -> T) -> String? {
        do {
            _ = try read(JSONReader(json))
            return nil
        } catch {
            return (error as? JSONValueError)?.description
        }
    }

    @Test func get_takesIDsAndPropertiesOrAll() throws {
        let some = try GetArguments(reading: JSONReader(["accountId": "a", "ids": ["1"], "properties": ["id"]]))
        #expect(some.accountID == "a")
        #expect(some.ids == ["1"])
        #expect(some.properties == ["id"])
        let all = try GetArguments(reading: JSONReader(["accountId": "a", "ids": .null]))
        #expect(all.ids == nil)
        #expect(all.properties == nil)
        #expect(problem(["ids": []], GetArguments.init) == "/accountId is required")
        #expect(problem(["accountId": "a", "ids": [1]], GetArguments.init) == "/ids/0 has to be a string")
        #expect(
            problem(["accountId": "a", "id": "1"], GetArguments.init)?.hasPrefix("/id is not a known field") == true
        )
    }

    @Test func changes_takeAStateAndALimitOfAtLeastOne() throws {
        let arguments = try ChangesArguments(
            reading: JSONReader(["accountId": "a", "sinceState": "s", "maxChanges": 1])
        )
        #expect(arguments.sinceState == "s")
        #expect(arguments.maxChanges == 1)
        #expect(problem(["accountId": "a"], ChangesArguments.init) == "/sinceState is required")
        let none: JSON = ["accountId": "a", "sinceState": "s", "maxChanges": 0]
        #expect(problem(none, ChangesArguments.init) == "/maxChanges has to be from 1 to 9007199254740991")
    }

    @Test func set_countsItsRecordsAndTakesABatch() throws {
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
    func badBatch_isNamed(batch: String, expected: String) throws {
        let json: JSON = ["accountId": "a", "batch": try JSON(parsing: batch.utf8)]
        #expect(problem(json, SetArguments.init) == expected)
    }

    @Test func batch_writtenAndRead_isTheSame() throws {
        let batch = Batch(epoch: "e", number: 9_007_199_254_740_991)
        #expect(try Batch(reading: JSONReader(batch.json)) == batch)
    }

    @Test func query_keepsItsFilterWithItsPlace() throws {
        let json: JSON = [
            "accountId": "a", "filter": ["operator": "AND"],
            "sort": [["property": "p"], ["property": "q", "isAscending": false]],
            "position": -5, "limit": 0, "calculateTotal": true,
        ]
        let arguments = try QueryArguments(reading: JSONReader(json, at: JSONPointer(["args"])))
        #expect(arguments.filter?.reader.value == ["operator": "AND"])
        #expect(arguments.filter?.reader.pointer.description == "/args/filter")
        #expect(arguments.sort.map(\.property) == ["p", "q"])
        #expect(arguments.sort.map(\.isAscending) == [true, false])
        #expect(arguments.position == -5)
        #expect(arguments.limit == 0)
        #expect(arguments.calculateTotal)
        let bare = try QueryArguments(reading: JSONReader(["accountId": "a"]))
        #expect(bare.filter == nil)
        #expect(bare.sort.isEmpty)
        #expect(bare.position == 0)
        #expect(bare.limit == nil)
        #expect(!bare.calculateTotal)
        #expect(problem(["accountId": "a", "sort": [[:]]], QueryArguments.init) == "/sort/0/property is required")
        #expect(
            problem(["accountId": "a", "limit": -1], QueryArguments.init)
                == "/limit has to be from 0 to 9007199254740991"
        )
    }
}
