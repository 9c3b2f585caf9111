import Crypto
import Foundation

/// The identity of a person's token: the first 128 bits of the SHA-256 of the signed text, which is the encoded header
/// and claims.
///
/// The signature isn't part of it: each text has two valid ECDSA signatures, so a revoked token would work again with
/// the other one.
package struct TokenID: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64

    static let size = 16

    /// Creates the id of a token.
    ///
    /// - Parameter token: A token whose signature has been verified.
    init(of token: String) {
        let signed = token.utf8.prefix(upTo: token.utf8.lastIndex(of: UInt8(ascii: ".")) ?? token.utf8.endIndex)
        self.init(Data(SHA256.hash(data: Array(signed)).prefix(Self.size)))
    }

    /// Parses ``data``.
    init(_ data: Data) {
        let bytes = Array(data)
        func number(_ range: Range<Int>) -> UInt64 {
            bytes.dropFirst(range.lowerBound).prefix(range.count).reduce(0) { $0 << 8 | UInt64($1) }
        }
        (high, low) = (number(0..<8), number(8..<16))
    }

    var data: Data {
        Data(
            [high, low].flatMap { number in (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * UInt64($0))) } }
        )
    }

    /// A placeholder for no token.
    static let none = TokenID(Data())
}
