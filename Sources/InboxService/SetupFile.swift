package import Foundation

/// A small file that an option names.
package enum SetupFile {
    /// In bytes.
    private static let maxSize = 1_048_576

    /// - Throws: ``ServerSetupError`` where it isn't there, can't be read, or is too large to be meant.
    package static func read(_ file: URL, option: String) throws -> [UInt8] {
        do {
            let handle = try FileHandle(forReadingFrom: file)
            defer { try? handle.close() }
            let bytes = Array(try handle.read(upToCount: maxSize + 1) ?? Data())
            guard bytes.count <= maxSize else {
                throw ServerSetupError("\(file.path), given with \(option), has more than \(maxSize) bytes.")
            }
            return bytes
        } catch let error as ServerSetupError {
            throw error
        } catch {
            throw ServerSetupError(
                "\(file.path), given with \(option), can't be read. See that it exists, and that the server's user may read it."
            )
        }
    }
}

/// Why a server can't start with its settings: the file or setting, its problem, and how to fix it.
public struct ServerSetupError: Error, CustomStringConvertible {
    /// One line. Nothing of a key or a secret is in it.
    public let description: String

    package init(_ description: String) {
        self.description = description
    }
}
