import GRDB

/// The reason why a backup can't be made or restored: the file, its problem, and how to fix it.
public struct MaintenanceError: Error, CustomStringConvertible {
    /// The description, in one line.
    public let description: String

    init(_ description: String) {
        self.description = description
    }

    /// - Parameter remedy: A sentence on how to fix a damaged file.
    init(_ error: DatabaseError, at path: String, remedy: String? = nil) {
        let remedy = remedy.map { " " + $0 } ?? ""
        switch error.resultCode {
        case .SQLITE_NOTADB: self.init("\(path) isn't a SQLite database.\(remedy)")
        case .SQLITE_CANTOPEN:
            self.init(
                """
                \(path) can't be opened. Check that it exists, that you can read it, and that its folder is writable: \
                SQLite makes its log next to it.
                """
            )
        case .SQLITE_CORRUPT: self.init("\(path) is damaged.\(remedy)")
        case .SQLITE_FULL: self.init("\(path) can't be written: the disk is full. Make room on it.")
        default: self.init("\(path): \(error.message ?? "SQLite error \(error.resultCode.rawValue)").")
        }
    }
}
