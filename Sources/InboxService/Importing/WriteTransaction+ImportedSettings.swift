import Groundwork

/// The outcome of the import of a surface's settings.
package enum SettingsOutcome: Sendable {
    case imported
    /// The surface already has settings, which are kept.
    case known
    /// The settings can't be stored, for this reason.
    case rejected(String)
}

extension WriteTransaction {
    /// Stores the settings of a surface that has none. Existing settings are kept, so that an import for another person
    /// doesn't overwrite later changes.
    ///
    /// - Parameter canChangeSurfaces: Whether the request's key may change surfaces.
    package func importSettings(_ imported: ImportedSettings, canChangeSurfaces: Bool) throws -> SettingsOutcome {
        guard StoredSurface.isValid(imported.surface) else { return .rejected(StoredSurface.rule) }
        if try reading.surface(imported.surface) != nil { return .known }
        guard canChangeSurfaces else { return .rejected("has settings, which require a key with the scope surfaces") }
        do {
            _ = try put(imported.settings, of: imported.surface, if: .none)
            return .imported
        } catch is TooManySurfacesError {
            return .rejected("would exceed the limit of \(StoredSurface.limit) surfaces")
        }
    }
}
