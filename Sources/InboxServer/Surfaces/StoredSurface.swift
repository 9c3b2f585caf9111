import GRDB
import Groundwork
import InboxModel

/// The settings of one surface, as they are stored.
struct StoredSurface: Sendable {
    let id: String
    /// A JSON object.
    let settings: String
    /// The surfaces' sequence at its latest change.
    let sequence: Int

    /// The rule for the ids of surfaces in an address and over JMAP.
    static let rule = "has to be 1 to \(MessageLimits.name) bytes without control characters"
    /// How many there may be: each device asks for all of them.
    static let limit = 100
    /// How many of those that were deleted are remembered, so that devices hear of it.
    static let destroyedLimit = 1_000

    static let columns = "id, settings, sequence"

    /// - Parameter row: Has ``columns``.
    init(row: Row) {
        (id, settings, sequence) = (row[0], row[1], row[2])
    }

    static func isValid(_ id: String) -> Bool {
        (1...MessageLimits.name).contains(id.utf8.count) && PersonName.isPlain(id)
    }

    /// What an `ETag` says of it (RFC 9110 §8.8.3).
    var tag: String { "\"\(sequence)\"" }

    var json: JSON {
        get throws {
            var object = JSONObject([("id", .string(id))])
            for member in try JSON(parsing: Array(settings.utf8)).objectValue?.members ?? [] {
                object.add(member.name, member.value)
            }
            return .object(object)
        }
    }
}

extension Database {
    func surface(_ id: String) throws -> StoredSurface? {
        try row("SELECT \(StoredSurface.columns) FROM surface WHERE id = ?", [id]).map(StoredSurface.init(row:))
    }

    /// All of them, by id.
    func surfaces() throws -> [StoredSurface] {
        try Row.fetchAll(cachedStatement(sql: "SELECT \(StoredSurface.columns) FROM surface ORDER BY id"))
            .map(StoredSurface.init(row:))
    }

    /// Whether all changes of surfaces since a state are known.
    func knowsSurfaceChanges(since: Int) throws -> Bool {
        let (state, forgotten) = (
            try surfaceState(), try value("SELECT value FROM counter WHERE name = 'forgottenSurface'") ?? 0
        )
        // A restored database goes on in another generation, in which the same numbers stand for other changes.
        return (forgotten...max(forgotten, state)).contains(since)
            && PersonState.generation(of: since) == PersonState.generation(of: state)
    }

    /// The state of all surfaces in this snapshot.
    func surfaceState() throws -> Int {
        try value("SELECT value FROM counter WHERE name = 'surface'") ?? 0
    }
}
