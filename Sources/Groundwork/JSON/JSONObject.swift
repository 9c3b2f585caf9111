/// The members of a JSON object, in their original order. Names are unique.
package struct JSONObject: Sendable {
    package typealias Member = (name: String, value: JSON)

    package private(set) var members: [Member] = []
    /// The index of each name, kept for objects large enough that a linear search is slower. Keys are bytes, as JSON
    /// compares names: `String` equates different spellings of one character.
    private var indexes: [[UInt8]: Int]?
    private static let indexedFrom = 16

    package init() {}

    /// - Precondition: Names are unique.
    package init(_ members: [Member]) {
        for member in members {
            precondition(add(member.name, member.value), "a duplicate name in a JSON object")
        }
    }

    package var isEmpty: Bool { members.isEmpty }
    package var count: Int { members.count }
    package var names: [String] { members.map(\.name) }

    /// The value of a member. Setting nil removes the member; setting `.null` stores JSON's null.
    package subscript(_ name: String) -> JSON? {
        get { index(of: name).map { members[$0].value } }
        set {
            switch (index(of: name), newValue) {
            case (let index?, let value?): members[index].value = value
            case (nil, let value?): add(name, value)
            case (let index?, nil):
                members.remove(at: index)
                if indexes != nil { reindex() }
            case (nil, nil): break
            }
        }
    }

    /// Appends a member. Returns false, without a change, if the name exists.
    @discardableResult
    package mutating func add(_ name: String, _ value: JSON) -> Bool {
        guard index(of: name) == nil else { return false }
        members.append((name, value))
        if indexes != nil {
            indexes?[Array(name.utf8)] = members.count - 1
        } else if members.count >= Self.indexedFrom {
            reindex()
        }
        return true
    }

    private func index(of name: String) -> Int? {
        if let indexes { return indexes[Array(name.utf8)] }
        return members.firstIndex { $0.name.hasSameBytes(as: name) }
    }

    private mutating func reindex() {
        let named = members.enumerated().map { (Array($1.name.utf8), $0) }
        indexes = Dictionary(named, uniquingKeysWith: { first, _ in first })
    }
}

extension JSONObject: Hashable {
    /// Two objects are equal if each name has the same value in both, in any order.
    package static func == (lhs: JSONObject, rhs: JSONObject) -> Bool {
        lhs.count == rhs.count && lhs.members.allSatisfy { rhs[$0.name] == $0.value }
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(Set(members.map(\.name)))
    }
}
