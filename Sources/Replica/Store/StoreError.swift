package import GRDB

/// A store that can't be used.
package enum StoreError: Error, CustomStringConvertible {
    /// The store was closed, or the person signed out, here or in another process.
    case closed
    /// SQLite reported damage to the file. The next opening rebuilds it.
    case damaged(DatabaseError)
    /// The disk is full.
    case full(DatabaseError)
    /// Another process has been writing for longer than a write waits, or is stopped in the middle. Nothing has
    /// changed.
    case busy(DatabaseError)
    /// A newer version has changed the file. Nothing has changed.
    case newer(path: String, migration: String)
    /// The file can't be opened.
    case unopened(path: String, DatabaseError)
    /// The file can't be read or written.
    case database(DatabaseError)
    /// The folder can't be created.
    case directory(path: String, reason: String)

    init(_ error: DatabaseError) {
        self =
            switch error.resultCode {
            // A damaged row may state any length.
            case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_TOOBIG: .damaged(error)
            case .SQLITE_FULL: .full(error)
            case .SQLITE_BUSY: .busy(error)
            default: .database(error)
            }
    }

    package var description: String {
        switch self {
        case .closed: "The store is closed."
        case .damaged(let error):
            "The store's file is damaged: \(Self.reason(error)). The next opening rebuilds it from the server."
        case .full: "The disk is full. Nothing has changed."
        case .busy:
            """
            Another process is writing to this store and hasn't finished in time. Nothing has changed. Try again; if \
            that process is stopped, continue or end it.
            """
        case .newer(let path, let migration):
            """
            The store \(path) was changed by a newer version (\(migration)). Nothing has changed. Use that version, or \
            a later one.
            """
        case .unopened(let path, let error):
            """
            The store \(path) can't be opened: \(Self.reason(error)). Check that it is a file, and that this user \
            can write to it and to its folder.
            """
        case .database(let error):
            "The store can't be used: \(Self.reason(error)). Check that the folder is writable."
        case .directory(let path, let reason): "The folder \(path) can't be created: \(reason)."
        }
    }

    private static func reason(_ error: DatabaseError) -> String {
        error.message ?? "SQLite error \(error.resultCode.rawValue)"
    }
}
