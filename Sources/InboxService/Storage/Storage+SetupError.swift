package import Foundation
import GRDB

#if PostgreSQL
    import Postgres
#endif

extension Storage {
    /// Returns what an operator has to do about the error of a start. Nil if there is nothing to say.
    ///
    /// - Parameter database: The database's address, of which an error of SQLite names the file.
    package static func setupError(of error: any Error, at database: URL? = nil) -> ServerSetupError? {
        #if PostgreSQL
            if let error = error as? PostgresError, error.isOfPooler {
                return ServerSetupError("The database can't be used: \(error.sentence) \(error.openingAdvice)")
            }
        #endif
        guard let error = error as? DatabaseError, let database, database.isFileURL else { return nil }
        return ServerSetupError(MaintenanceError(error, at: database.path).description)
    }
}
