package import Groundwork
import InboxModel

/// The stored settings of one surface.
package struct StoredSurface: Sendable {
    package let id: String
    /// The settings, a JSON object.
    let settings: String
    /// The surfaces' sequence at its latest change.
    let sequence: Int

    /// The rule for the ids of surfaces in an address and over JMAP.
    package static let rule = "has to be 1 to \(MessageLimits.name) bytes without control characters"
    /// The maximum number of surfaces. Each device fetches all of them.
    package static let limit = 100
    /// The maximum number of deleted surfaces that are kept for devices.
    static let destroyedLimit = 1_000

    static let columns = "id, settings, sequence"

    /// - Parameter row: A row with ``columns``.
    init(row: SQLRow) {
        (id, settings, sequence) = (row[0], row[1], row[2])
    }

    package static func isValid(_ id: String) -> Bool {
        (1...MessageLimits.name).contains(id.utf8.count) && !id.hasControlCharacters
    }

    /// The entity tag for an `ETag` header (RFC 9110 §8.8.3).
    package var tag: String { "\"\(sequence)\"" }

    package var json: JSON {
        get throws {
            var object = JSONObject([("id", .string(id))])
            for member in try JSON(parsing: Array(settings.utf8)).objectValue?.members ?? [] {
                object.add(member.name, member.value)
            }
            return .object(object)
        }
    }
}

/// A change of a surface since a state.
package struct SurfaceChange: Sendable {
    package let id: String
    /// The sequence of the latest change.
    package let sequence: Int
    /// Whether it was first set after the state.
    package let isNew: Bool
    package let isDestroyed: Bool
}

extension ReadTransaction {
    package func surface(_ id: String) throws -> StoredSurface? {
        try db.row("SELECT \(StoredSurface.columns) FROM surface WHERE id = ?", [id]).map(StoredSurface.init(row:))
    }

    /// Returns all surfaces, ordered by id.
    package func surfaces() throws -> [StoredSurface] {
        try db.rows("SELECT \(StoredSurface.columns) FROM surface ORDER BY id")
            .map(StoredSurface.init(row:))
    }

    /// Returns the surfaces that changed since a state, in the order of their latest changes.
    package func surfaceChanges(since state: Int, limit: Int) throws -> [SurfaceChange] {
        try db.rows(
            """
            SELECT id, sequence, created > ?1, false FROM surface WHERE sequence > ?1
            UNION ALL SELECT id, sequence, created > ?1, true FROM destroyedSurface WHERE sequence > ?1
            ORDER BY sequence LIMIT ?2
            """,
            [state, limit]
        ).map { SurfaceChange(id: $0[0], sequence: $0[1], isNew: $0[2], isDestroyed: $0[3]) }
    }

    /// Returns whether all changes of surfaces since a state are known.
    package func knowsSurfaceChanges(since: Int) throws -> Bool {
        let (state, forgotten) = (
            try surfaceState(), try db.value("SELECT value FROM counter WHERE name = 'forgottenSurface'") ?? 0
        )
        // A restored database continues in another generation, in which the same numbers refer to other changes.
        return (forgotten...max(forgotten, state)).contains(since)
            && PersonState.generation(of: since) == PersonState.generation(of: state)
    }

    /// Returns the state of all surfaces in this snapshot.
    package func surfaceState() throws -> Int {
        try db.value("SELECT value FROM counter WHERE name = 'surface'") ?? 0
    }
}
