import Foundation
import GRDB

/// From when on a person's tokens have to be issued: earlier ones were ended, or the person was erased.
struct TokenStart: Hashable, Sendable {
    /// A whole second, as the dates of tokens are: one after the end.
    let date: Date
    /// Whether the last of what ended them was an erasure.
    let isErasure: Bool

    /// By how much a token's `iat` has to be later than ``date``, in seconds.
    ///
    /// An app's backend may have dated a token ahead, by as much as clocks may differ; the server dates its own by the
    /// clock that ends them.
    static func margin(isOwn: Bool) -> TimeInterval { isOwn ? 0 : TokenRules.skew }
}

extension TokenStart {
    /// The seconds since 1970 at which the tokens of a person have to be issued at the earliest, once those that were
    /// issued by now are ended.
    ///
    /// - Parameter earlier: What held before. Where tokens are ended twice in a second, those that were made in between
    ///   are dated to it.
    static func seconds(endingTokensAt now: Date, after earlier: TokenStart?) -> Int {
        let second = Int(now.timeIntervalSince1970.rounded(.down))
        return max(second, earlier.map { Int($0.date.timeIntervalSince1970) } ?? second) + 1
    }
}

extension Database {
    /// From when on the tokens of a person have to be issued; nil for any time.
    func tokenStart(of name: String) throws -> TokenStart? {
        let erased: Int? = try value(
            "SELECT max(coalesce(start, at / 1000 + 1)) FROM erasure WHERE personHash = ?",
            [Erasure.hash(of: name)]
        )
        let ended: Int? = try value("SELECT start FROM tokenEnd WHERE personName = ?", [name])
        guard let start = [erased, ended].compactMap({ $0 }).max() else { return nil }
        return TokenStart(date: Date(timeIntervalSince1970: Double(start)), isErasure: start == erased)
    }

    /// The tokens of a person that were signed out and wouldn't have expired.
    func endedTokens(of name: String) throws -> Set<TokenID> {
        Set(
            try Data.fetchAll(
                cachedStatement(sql: "SELECT token FROM endedToken WHERE personName = ?"),
                arguments: [name]
            ).map { TokenID($0) }
        )
    }
}
