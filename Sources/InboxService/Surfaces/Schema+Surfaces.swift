extension Schema {
    /// The settings of surfaces, the same for everyone.
    static let surfaces = """
        CREATE TABLE surface (
            id TEXT PRIMARY KEY,
            settings TEXT NOT NULL,           -- a JSON object
            created INTEGER NOT NULL,         -- the surfaces' sequence at which it was first set
            sequence INTEGER NOT NULL         -- that of its latest change
        ) WITHOUT ROWID;
        CREATE UNIQUE INDEX surface_sequence ON surface (sequence);
        INSERT INTO counter (name, value) VALUES ('surface', 0);
        """
}

extension Schema {
    /// Surfaces whose settings were deleted. Devices receive the deletion.
    static let destroyedSurfaces = """
        CREATE TABLE destroyedSurface (
            id TEXT PRIMARY KEY,
            created INTEGER NOT NULL,         -- the surfaces' sequence at which it was set
            sequence INTEGER NOT NULL         -- that at which it was deleted
        ) WITHOUT ROWID;
        CREATE UNIQUE INDEX destroyedSurface_sequence ON destroyedSurface (sequence);

        -- The greatest sequence of a forgotten deleted surface: changes since an earlier one can't be calculated.
        INSERT INTO counter (name, value) VALUES ('forgottenSurface', 0);
        """
}
