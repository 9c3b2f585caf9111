/// The names of a connection's prepared statements, by text and types. It holds the most recently used ones.
struct StatementCache {
    struct Key: Hashable, Sendable {
        let sql: String
        let types: [UInt32]
    }

    private struct Entry {
        let name: String
        var lastUse: Int
    }

    private var entries: [Key: Entry] = [:]
    private var uses = 0
    private var names = 0
    let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    var count: Int { entries.count }

    /// Returns the name of a prepared statement, which then is the most recently used.
    mutating func name(of key: Key) -> String? {
        guard let place = entries.index(forKey: key) else { return nil }
        uses += 1
        entries.values[place].lastUse = uses
        return entries.values[place].name
    }

    /// Returns a name that no statement has had.
    mutating func newName() -> String {
        names += 1
        return "s\(names)"
    }

    /// Adds a statement that was prepared.
    mutating func add(_ key: Key, name: String) {
        uses += 1
        entries[key] = Entry(name: name, lastUse: uses)
    }

    /// Removes all statements, and returns their names.
    mutating func removeAll() -> [String] {
        defer { entries = [:] }
        return entries.values.map(\.name)
    }

    /// Removes the least recently used statements beyond the limit, and returns their names.
    mutating func trim() -> [String] {
        guard entries.count > limit else { return [] }
        let oldest = entries.sorted { $0.value.lastUse < $1.value.lastUse }.prefix(entries.count - limit)
        for (key, _) in oldest { entries[key] = nil }
        return oldest.map(\.value.name)
    }
}
