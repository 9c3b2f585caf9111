package import GRDB

/// A store that can't be used.
package enum StoreError: Error, CustomStringConvertible {
    /// The store was closed, or the person signed out.
    case closed
    /// The file can't be opened, read or written: no space, no permission, damaged.
    case database(DatabaseError)
    /// The folder can't be made.
    case directory(path: String, reason: String)

    package var description: String {
        switch self {
        case .closed: "The store is closed."
        case .database(let error):
            "The store can't be used: \(error.message ?? "SQLite error \(error.resultCode.rawValue)"). "
                + "Look whether the disk is full and the folder may be written to."
        case .directory(let path, let reason): "The folder \(path) can't be made: \(reason)."
        }
    }
}
