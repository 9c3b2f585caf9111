import Crypto
package import Foundation
import Groundwork

/// The SHA-256 of a file, in hexadecimal digits.
package enum FileDigest {
    private static let pieceSize = 1 << 20

    /// Returns the digest and the size of a file.
    ///
    /// - Throws: The error of reading it.
    package static func read(_ file: URL) throws -> (digest: String, size: Int) {
        let handle = try FileHandle(forReadingFrom: file)
        defer { try? handle.close() }
        var hash = SHA256()
        var size = 0
        while let piece = try handle.read(upToCount: pieceSize), !piece.isEmpty {
            hash.update(data: piece)
            size += piece.count
        }
        return (hash.finalize().hexadecimal, size)
    }

    /// Returns the digest of bytes.
    package static func of(_ bytes: Data) -> String { SHA256.hash(data: bytes).hexadecimal }
}
