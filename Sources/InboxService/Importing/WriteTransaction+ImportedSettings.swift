import Groundwork

/// What became of a surface's settings that were to be imported.
package enum SettingsOutcome: Sendable {
    case imported
    /// The surface has settings, and keeps them.
    case known
    /// They can't be put, and why.
    case refused(String)
}

extension WriteTransaction {
    /// Puts the settings of a surface that has none yet. One that has some keeps them: what was set here since isn't
    /// undone by importing the next person.
    ///
    /// - Parameter mayPut: Whether the request's key may change surfaces.
    package func take(_ imported: ImportedSettings, mayPut: Bool) throws -> SettingsOutcome {
        guard StoredSurface.isValid(imported.surface) else { return .refused(StoredSurface.rule) }
        if try db.surface(imported.surface) != nil { return .known }
        guard mayPut else { return .refused("has settings, which only a key with the scope surfaces may import") }
        do {
            _ = try put(imported.settings, of: imported.surface, ifMatch: nil)
            return .imported
        } catch is TooManySurfaces {
            return .refused("would be one surface more than \(StoredSurface.limit), which is the limit")
        }
    }
}
