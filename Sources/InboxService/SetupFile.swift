package import Foundation

/// Reads small files that are given with an option.
package enum SetupFile {
    /// The maximum size, in bytes.
    private static let maxSize = 1_048_576

    /// Reads a file.
    ///
    /// - Throws: ``ServerSetupError`` if the file doesn't exist, can't be read, or is larger than such a file can
    ///   reasonably be.
    package static func read(_ file: URL, option: String) throws -> [UInt8] {
        do {
            let handle = try FileHandle(forReadingFrom: file)
            defer { try? handle.close() }
            let bytes = Array(try handle.read(upToCount: maxSize + 1) ?? Data())
            guard bytes.count <= maxSize else {
                throw ServerSetupError("\(file.path), given with \(option), is larger than \(maxSize) bytes.")
            }
            return bytes
        } catch let error as ServerSetupError {
            throw error
        } catch {
            throw ServerSetupError(
                """
                \(file.path), given with \(option), can't be read. Check that it exists and that the server's user can \
                read it.
                """
            )
        }
    }
}

/// The reason why a server can't start with its settings: the file or setting, its problem, and how to fix it.
public struct ServerSetupError: Error, CustomStringConvertible {
    /// The description, in one line. It contains no part of a key or a secret.
    public let description: String

    package init(_ description: String) {
        self.description = description
    }
}
