import Groundwork
package import InboxModel

/// The limit of surfaces is reached.
package struct TooManySurfacesError: Error {}

/// The surface doesn't have the entity tag that the request requires.
package struct SurfaceChanged: Error {}

extension WriteTransaction {
    /// Sets a surface's settings. Identical settings change nothing.
    ///
    /// - Parameter expected: The condition on the current entity tag, or nil for none.
    /// - Throws: ``TooManySurfacesError``, ``SurfaceChanged``.
    package func put(_ settings: InboxSettings, of id: String, ifMatch expected: IfMatch?) throws -> (
        surface: StoredSurface, isNew: Bool
    ) {
        db.lock(Self.counter)
        let earlier = try reading.surface(id)
        if let expected, !expected.allows(earlier?.tag) { throw SurfaceChanged() }
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
    /// - Parameter expected: The condition on the current entity tag, or nil for none.
    /// - Returns: Whether the surface had settings.
    /// - Throws: ``SurfaceChanged``.
    package func deleteSurface(_ id: String, ifMatch expected: IfMatch?) throws -> Bool {
        db.lock(Self.counter)
        guard let surface = try reading.surface(id) else { return false }
        if let expected, !expected.allows(surface.tag) { throw SurfaceChanged() }
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

/// The header `If-Match` (RFC 9110 §13.1.1).
package enum IfMatch: Sendable {
    case any
    case tags([String])

    package init(_ header: String) {
        let tags = header.split(separator: ",").map { $0.trimmingPrefix(" ") }.map { tag in
            String(tag.reversed().drop { $0 == " " }.reversed())
        }
        self = tags == ["*"] ? .any : .tags(tags)
    }

    /// - Parameter tag: The current entity tag; nil if the surface has no settings.
    func allows(_ tag: String?) -> Bool {
        switch self {
        case .any: tag != nil
        case .tags(let tags): tag.map(tags.contains) ?? false
        }
    }
}
