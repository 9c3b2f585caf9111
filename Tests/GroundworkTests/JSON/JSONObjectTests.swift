import Groundwork
import Testing

/// The members of an object: few are searched, many are indexed, with the same results.
@Suite(.timeLimit(.minutes(5))) struct JSONObjectTests {
    @Test(arguments: [1, 15, 16, 17, 300])
    func `members are found, changed and removed`(count: Int) {
        var object = JSONObject()
        for index in 0..<count {
            let added = object.add("name\(index)", JSON(index))
            #expect(added)
        }
        #expect(object.count == count)
        for index in 0..<count { #expect(object["name\(index)"] == JSON(index)) }
        #expect(object["name"] == nil)

        object["name0"] = "changed"
        #expect(object.count == count)
        #expect(object.members.first?.value == "changed")

        object["name0"] = nil
        #expect(object.count == count - 1)
        #expect(object["name0"] == nil)
        for index in 1..<max(count, 1) { #expect(object["name\(index)"] == JSON(index)) }

        object["new"] = .null
        #expect(object["new"] == .null)
        #expect(object.names.last == "new")
    }

    @Test(arguments: [2, 40])
    func `adding a name that exists changes nothing`(count: Int) {
        var object = JSONObject((0..<count).map { ("name\($0)", JSON($0)) })
        let added = object.add("name1", "other")
        #expect(!added)
        #expect(object["name1"] == 1)
        #expect(object.count == count)
    }

    @Test(arguments: [0, 40])
    func `names are compared by bytes`(others: Int) {
        var object = JSONObject((0..<others).map { ("name\($0)", JSON($0)) })
        object["\u{E9}"] = "composed"
        object["e\u{301}"] = "decomposed"
        #expect(object.count == others + 2)
        #expect(object["\u{E9}"] == "composed")
        #expect(object["e\u{301}"] == "decomposed")
    }

    @Test func `the order of members doesn't affect equality`() {
        let one: JSON = ["a": 1, "b": 2]
        let other: JSON = ["b": 2, "a": 1]
        #expect(one == other)
        #expect(one.hashValue == other.hashValue)
        #expect(one != ["a": 1])
        #expect(one != ["a": 1, "b": 3])
        #expect(one != ["a": 1, "c": 2])
    }

    @Test func `removing an absent member changes nothing`() {
        var object = JSONObject([("a", 1)])
        object["b"] = nil
        #expect(object.names == ["a"])
        #expect(!object.isEmpty)
        object["a"] = nil
        #expect(object.isEmpty)
    }
}
