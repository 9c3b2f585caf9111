import Groundwork
import JMAP
import Testing

/// The arguments of `/query` and `/queryChanges`, as a server reads them.
@Suite(.timeLimit(.minutes(5))) struct QueryArgumentsTests {
    private func problem<T>(_ json: JSON, _ read: (JSONReader) throws(JSONValueError) -> T) -> String? {
        do {
            _ = try read(JSONReader(json))
            return nil
        } catch {
            return error.description
        }
    }

    @Test func `query keeps its filter with its pointer`() throws {
        let json: JSON = [
            "accountId": "a", "filter": ["operator": "AND"],
            "sort": [["property": "p"], ["property": "q", "isAscending": false, "collation": "i;octet"]],
            "position": -5, "limit": 0, "calculateTotal": true,
        ]
        let arguments = try QueryArguments(reading: JSONReader(json, at: JSONPointer(["args"])))
        #expect(arguments.filter?.reader.value == ["operator": "AND"])
        #expect(arguments.filter?.reader.pointer.description == "/args/filter")
        #expect(arguments.sort.map(\.property) == ["p", "q"])
        #expect(arguments.sort.map(\.isAscending) == [true, false])
        #expect(arguments.sort.map(\.collation) == [nil, "i;octet"])
        #expect(arguments.start == .position(-5))
        #expect(arguments.limit == 0)
        #expect(arguments.calculateTotal)
        let bare = try QueryArguments(reading: JSONReader(["accountId": "a"]))
        #expect(bare.filter == nil)
        #expect(bare.sort.isEmpty)
        #expect(bare.start == .position(0))
        #expect(bare.limit == nil)
        #expect(!bare.calculateTotal)
        #expect(problem(["accountId": "a", "sort": [[:]]], QueryArguments.init) == "/sort/0/property is required")
        #expect(
            problem(["accountId": "a", "limit": -1], QueryArguments.init)
                == "/limit has to be from 0 to 9007199254740991"
        )
    }

    @Test func `an anchor overrides a position, and an offset alone is ignored`() throws {
        func start(_ json: JSON) throws -> QueryArguments.Start {
            try QueryArguments(reading: JSONReader(json)).start
        }
        #expect(try start(["accountId": "a", "anchor": "m", "position": 7]) == .anchor("m", offset: 0))
        #expect(try start(["accountId": "a", "anchor": "m", "anchorOffset": -2]) == .anchor("m", offset: -2))
        #expect(try start(["accountId": "a", "anchor": .null, "anchorOffset": -2]) == .position(0))
    }

    @Test func `query changes takes a state`() throws {
        let arguments = try QueryChangesArguments(
            reading: JSONReader(["accountId": "a", "sinceQueryState": "s", "maxChanges": 0, "upToId": "m"])
        )
        #expect(arguments.sinceQueryState == "s")
        #expect(arguments.maxChanges == 0)
        #expect(arguments.upToID == "m")
        #expect(arguments.filter == nil)
        #expect(!arguments.calculateTotal)
        #expect(problem(["accountId": "a"], QueryChangesArguments.init) == "/sinceQueryState is required")
        #expect(
            problem(["accountId": "a", "sinceQueryState": "s", "maxChanges": -1], QueryChangesArguments.init)
                == "/maxChanges has to be from 0 to 9007199254740991"
        )
    }
}
