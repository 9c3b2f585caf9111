import Crypto
package import Foundation
import Groundwork

/// The location of one person's store for one server. The file's name reveals neither the person nor the server.
package struct StoreLocation: Hashable, Sendable {
    /// The database.
    package let file: URL

    /// - Parameters:
    ///   - directory: The folder for the stores of an app. It is created when a store is opened.
    ///   - server: The server's URL.
    ///   - person: The app's id for the person.
    package init(directory: URL, server: URL, person: String) {
        // Neither value can contain the zero byte, so no two pairs produce the same text.
        let name = Self.digest(of: "\(server.absoluteString)\u{0}\(person)")
        self.init(file: directory.appendingPathComponent("\(name).sqlite", isDirectory: false))
    }

    /// Returns the SHA-256 of a text, in hexadecimal digits: a file name that reveals nothing and contains no path.
    package static func digest(of text: String) -> String {
        SHA256.hash(data: Data(text.utf8)).hexadecimal
    }

    init(file: URL) {
        self.file = file
    }

    /// Returns the app's folder of a name: in the user's Application Support directory (on Linux `$XDG_DATA_HOME`, by
    /// default `~/.local/share`), in a folder named by the app's bundle identifier, or by the program if it has none.
    package static func appDirectory(_ name: String) -> URL {
        let app = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
        // Never empty: the list has one folder on each system.
        let support = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)[0]
        return support.appendingPathComponent(app, isDirectory: true).appendingPathComponent(name, isDirectory: true)
    }

    /// The lock file of the primary domain.
    var lock: URL { lock(.primary) }

    /// The file that a process locks while its engine syncs a domain.
    package func lock(_ domain: StoreDomain) -> URL {
        file.appendingPathExtension(domain == .primary ? "lock" : "\(domain.name).lock")
    }

    /// The lock files of all domains that were ever synced.
    private var locks: [URL] {
        let folder = file.deletingLastPathComponent()
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let prefix = file.lastPathComponent + "."
        return names.filter { $0.hasPrefix(prefix) && $0.hasSuffix(".lock") }.map(folder.appendingPathComponent)
    }

    /// Whether a domain was ever synced.
    var wasSynced: Bool { !locks.isEmpty }

    /// A file that exists once damage was found in the open database. The next opening rebuilds the store.
    var damageNote: URL { file.appendingPathExtension("isdamaged") }

    /// The location of the last damaged store.
    package var damaged: StoreLocation { StoreLocation(file: file.appendingPathExtension("damaged")) }

    /// The new store while a damaged one is rebuilt. The process that rebuilds it holds its ``lock``.
    var rebuilt: StoreLocation { StoreLocation(file: file.appendingPathExtension("rebuilt")) }

    /// The write-ahead log.
    var log: URL { URL(fileURLWithPath: file.path + "-wal") }

    /// The files of SQLite: the database, then those that are useless without it.
    var database: [URL] { [file, log, URL(fileURLWithPath: file.path + "-shm")] }

    /// The folder for data of records that is too large for the database.
    package var files: URL { file.appendingPathExtension("files") }

    /// The folder for files that exist only on this device.
    package var deviceFiles: URL { file.appendingPathExtension("own") }

    /// All files of the store.
    var all: [URL] {
        database + damaged.database + rebuilt.database + locks + [files, deviceFiles, damageNote]
    }
}

/// The types of a store that one engine syncs with one server. A store may have several domains; one process at a time
/// syncs a domain.
package struct StoreDomain: Hashable, Sendable {
    /// The name under which the store keeps the domain's sync requests. It names the lock file too.
    package let name: String
    /// The name in logs.
    package let label: String

    /// - Parameters:
    ///   - name: Lower-case letters. Stored: it never changes.
    ///   - label: The name in logs.
    package init(_ name: String, label: String) { (self.name, self.label) = (name, label) }

    /// The domain of the types that a store was opened with.
    package static let primary = StoreDomain("first", label: "primary")
}
