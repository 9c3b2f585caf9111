import Crypto
package import Foundation

/// Where the store of one person on one server is: a file of its own, whose name tells neither.
package struct StoreLocation: Hashable, Sendable {
    package let file: URL

    /// - Parameters:
    ///   - directory: The folder for the stores of an app; made when a store is opened.
    ///   - server: The server's URL.
    ///   - person: The app's id for the person.
    package init(directory: URL, server: URL, person: String) {
        // The zero byte can't be part of either, so that no two pairs make the same text.
        let digest = SHA256.hash(data: Data("\(server.absoluteString)\u{0}\(person)".utf8))
        let name = digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        file = directory.appendingPathComponent("\(name).sqlite", isDirectory: false)
    }

    /// The file that the process which syncs holds locked.
    var lock: URL { file.appendingPathExtension("lock") }

    /// All files of the store.
    var all: [URL] {
        [file, lock] + ["-wal", "-shm"].map { URL(fileURLWithPath: file.path + $0) }
    }
}
