import Foundation
import GRDB
import Groundwork
package import Replica

extension ReplicaStore {
    /// Lets each observation fail, as with a disk that has an error, or ends that. The observers read after it.
    ///
    /// Another connection takes tables away that the observations read, or returns them.
    package func setReadable(_ isReadable: Bool) throws {
        let connection = try DatabaseQueue(path: location.file.path)
        try connection.write { db in
            for table in ["store", "setting"] {
                let (from, to) = isReadable ? (table + "Away", table) : (table, table + "Away")
                try db.execute(sql: "ALTER TABLE \"\(from)\" RENAME TO \"\(to)\"")
            }
        }
        try connection.close()
        changes.send(())
    }
}
