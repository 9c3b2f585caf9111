/// The members of a JSON object, in the order in which they came, each name once.
package struct JSONObject: Sendable {
    package typealias Member = (name: String, value: JSON)

    package private(set) var members: [Member] = []
    /// Where each name stands, kept once there are enough members that looking at each in turn is slower.
    /// By bytes, as names are in JSON: to String, two spellings of one character are equal.
    private var places: [[UInt8]: Int]?
    private static let indexedFrom = 16

    package init() {}

    /// - Precondition: No name twice.
    package init(_ members: [Member]) {
        for member in members {
            precondition(add(member.name, member.value), "a name twice in a JSON object")
        }
    }

    package var isEmpty: Bool { members.isEmpty }
    package var count: Int { members.count }
    package var names: [String] { members.map(\.name) }

    /// The value of a name. Setting nil removes the member; setting JSON's own null is `.null`.
    package subscript(_ name: String) -> JSON? {
        get { place(of: name).map { members[$0].value } }
        set {
            switch (place(of: name), newValue) {
            case (let place?, let value?): members[place].value = value
            case (nil, let value?): add(name, value)
            case (let place?, nil):
                members.remove(at: place)
                if places != nil { reindex() }
            case (nil, nil): break
            }
        }
    }

    /// Adds a member at the end; false, and nothing changes, where the name is there already.
    @discardableResult
    package mutating func add(_ name: String, _ value: JSON) -> Bool {
        guard place(of: name) == nil else { return false }
        members.append((name, value))
        if places != nil {
            places?[Array(name.utf8)] = members.count - 1
        } else if members.count >= Self.indexedFrom {
            reindex()
        }
        return true
    }

    private func place(of name: String) -> Int? {
        if let places { return places[Array(name.utf8)] }
        return members.firstIndex { $0.name.hasSameBytes(as: name) }
    }

    private mutating func reindex() {
        let named = members.enumerated().map { (Array($1.name.utf8), $0) }
        places = Dictionary(named, uniquingKeysWith: { first, _ in first })
    }
}

extension JSONObject: Hashable {
    /// Equal where each name has the same value; the order doesn't count.
    package static func == (lhs: JSONObject, rhs: JSONObject) -> Bool {
        lhs.count == rhs.count && lhs.members.allSatisfy { rhs[$0.name] == $0.value }
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(Set(members.map(\.name)))
    }
}
