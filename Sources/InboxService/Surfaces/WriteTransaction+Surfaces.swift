import Groundwork
package import InboxModel

/// The limit of surfaces is reached.
package struct TooManySurfacesError: Error {}

/// The surface doesn't have the entity tag that the request requires (`If-Match`).
package struct SurfaceChanged: Error {}

/// The surface has an entity tag that the request excludes (`If-None-Match`).
package struct SurfaceMatched: Error {}

extension WriteTransaction {
    /// Sets a surface's settings. Identical settings change nothing.
    ///
    /// - Parameter conditions: The conditions on the current entity tag.
    /// - Throws: ``TooManySurfacesError``, ``SurfaceChanged``, ``SurfaceMatched``.
    package func put(_ settings: InboxSettings, of id: String, if conditions: Preconditions) throws -> (
        surface: StoredSurface, isNew: Bool
    ) {
        db.lock(Self.counter)
        let earlier = try reading.surface(id)
        try conditions.check(earlier?.tag)
        let text = settings.json.description
        if let earlier, earlier.settings.utf8.elementsEqual(text.utf8) { return (earlier, false) }
        let count: Int = try db.value("SELECT count(*) FROM surface") ?? 0
        guard earlier != nil || count < StoredSurface.limit else { throw TooManySurfacesError() }
        let row = try db.row(
            """
            INSERT INTO surface (id, settings, created, sequence) VALUES (?1, ?2, ?3, ?3)
            ON CONFLICT (id) DO UPDATE SET settings = excluded.settings, sequence = excluded.sequence
            RETURNING \(StoredSurface.columns)
            """,
            [id, text, try nextSurfaceSequence()]
        )
        guard let row else { throw RecordNotFoundError() }
        if earlier == nil { try db.run("DELETE FROM destroyedSurface WHERE id = ?", [id]) }
        return (StoredSurface(row: row), earlier == nil)
    }

    /// Deletes a surface's settings, on devices too. Its messages are kept.
    ///
    /// - Parameter conditions: The conditions on the current entity tag.
    /// - Returns: Whether the surface had settings.
    /// - Throws: ``SurfaceChanged``, ``SurfaceMatched``.
    package func deleteSurface(_ id: String, if conditions: Preconditions) throws -> Bool {
        db.lock(Self.counter)
        guard let surface = try reading.surface(id) else { return false }
        try conditions.check(surface.tag)
        let sequence = try nextSurfaceSequence()
        try db.run(
            "INSERT INTO destroyedSurface (id, created, sequence) SELECT id, created, ? FROM surface WHERE id = ?",
            [sequence, id]
        )
        try db.run("DELETE FROM surface WHERE id = ?", [id])
        try forgetDestroyedSurfaces()
        return true
    }

    /// Locks all surfaces, of which there are few changes.
    private static let counter = "SELECT 1 FROM counter WHERE name = 'surface' FOR UPDATE"

    /// Removes all but the latest deleted surfaces. A device that was away for longer fetches all settings again.
    private func forgetDestroyedSurfaces() throws {
        let forgotten: Int? = try db.value(
            "SELECT sequence FROM destroyedSurface ORDER BY sequence DESC LIMIT 1 OFFSET ?",
            [StoredSurface.destroyedLimit]
        )
        guard let forgotten else { return }
        try db.run("DELETE FROM destroyedSurface WHERE sequence <= ?", [forgotten])
        try db.run("UPDATE counter SET value = ? WHERE name = 'forgottenSurface'", [forgotten])
    }
}

/// The conditions of a request on the current entity tag of the resource that it changes.
package struct Preconditions: Sendable {
    static let none = Preconditions(ifMatch: nil, ifNoneMatch: nil)

    private let ifMatch: EntityTags?
    private let ifNoneMatch: EntityTags?

    /// - Parameters:
    ///   - ifMatch: The header `If-Match` (RFC 9110, section 13.1.1), or nil if there is none.
    ///   - ifNoneMatch: The header `If-None-Match` (section 13.1.2), or nil if there is none.
    package init(ifMatch: String?, ifNoneMatch: String?) {
        self.ifMatch = ifMatch.map { EntityTags($0) }
        self.ifNoneMatch = ifNoneMatch.map { EntityTags($0) }
    }

    /// Checks the conditions.
    ///
    /// - Parameter tag: The current entity tag; nil if the surface has no settings.
    /// - Throws: ``SurfaceChanged``, ``SurfaceMatched``.
    package func check(_ tag: String?) throws {
        if let ifMatch, !ifMatch.contain(tag) { throw SurfaceChanged() }
        if let ifNoneMatch, ifNoneMatch.contain(tag, weakly: true) { throw SurfaceMatched() }
    }
}

/// The entity tags of a condition.
private enum EntityTags: Sendable {
    case any
    case tags([String])

    init(_ header: String) {
        let tags = header.split(separator: ",").map { $0.trimmingPrefix(" ") }.map { tag in
            String(tag.reversed().drop { $0 == " " }.reversed())
        }
        self = tags == ["*"] ? .any : .tags(tags)
    }

    /// Returns whether an entity tag is among these.
    ///
    /// - Parameters:
    ///   - tag: The current entity tag, or nil if nothing is there.
    ///   - weakly: Whether a weak tag equals the strong one (RFC 9110, section 8.8.3.2).
    func contain(_ tag: String?, weakly: Bool = false) -> Bool {
        guard let tag else { return false }
        return switch self {
        case .any: true
        case .tags(let tags): tags.contains(tag) || weakly && tags.contains("W/" + tag)
        }
    }
}
