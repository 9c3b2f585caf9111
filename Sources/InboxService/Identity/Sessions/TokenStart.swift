import Foundation

/// The earliest issue time of a person's valid tokens. Earlier tokens were revoked, or the person was erased.
struct TokenStart: Hashable, Sendable {
    /// A whole second, as the dates of tokens are. It is the first one after the revocation.
    let date: Date
    /// Whether the latest revocation was an erasure.
    let isErasure: Bool

    /// The greatest difference in seconds between the clocks of servers that share a database, with which a revocation
    /// holds.
    static let clockDifference = 5

    /// The minimum difference between a token's `iat` and ``date``, in seconds.
    ///
    /// An app's backend may have dated a token ahead by the tolerated difference between clocks. The server dates its
    /// own tokens by the clock that revokes them, or by one that differs by ``clockDifference`` at most.
    static func margin(isOwn: Bool) -> TimeInterval { isOwn ? 0 : TokenRules.skew }
}

extension TokenStart {
    /// Returns the earliest issue time of a person's valid tokens, in seconds since 1970, after a revocation of those
    /// issued until now.
    ///
    /// - Parameter earlier: The former start. If tokens are revoked twice in a second, those issued in between have
    ///   this start as their date.
    static func seconds(revokingTokensAt now: Date, after earlier: TokenStart?) -> Int {
        let second = Int(now.timeIntervalSince1970.rounded(.down))
        return max(second, earlier.map { Int($0.date.timeIntervalSince1970) } ?? second) + 1
    }
}

extension TokenStart {
    /// Creates the later of two starts, in seconds since 1970. Nil if there is none.
    fileprivate init?(erased: Int?, ended: Int?) {
        guard let start = [erased, ended].compactMap({ $0 }).max() else { return nil }
        self.init(date: Date(timeIntervalSince1970: Double(start)), isErasure: start == erased)
    }
}

extension ReadTransaction {
    /// Returns the earliest issue time of a person's valid tokens, or nil for no restriction.
    func tokenStart(of name: String) throws -> TokenStart? {
        let erased: Int? = try db.value(
            "SELECT max(coalesce(start, at / 1000 + 1)) FROM erasure WHERE personHash = ?",
            [Erasure.hash(of: name)]
        )
        let ended: Int? = try db.value("SELECT start FROM tokenEnd WHERE personName = ?", [name])
        return TokenStart(erased: erased, ended: ended)
    }

    /// Returns the earliest issue times of several people's valid tokens, by the bytes of their names, as far as there
    /// are any. To Swift, two people's names may be equal that have different bytes.
    func tokenStarts(of names: [String]) throws -> [[UInt8]: TokenStart] {
        var starts: [[UInt8]: TokenStart] = [:]
        #if PostgreSQL
            if case .postgres = db {
                for row in try db.rows(Self.tokenStarts, [names]) {
                    let name: String = row[0]
                    starts[Array(name.utf8)] = TokenStart(erased: row[1], ended: row[2])
                }
                return starts
            }
        #endif
        for name in names { starts[Array(name.utf8)] = try tokenStart(of: name) }
        return starts
    }

    /// SQLite has no SHA-256.
    private static let tokenStarts: SQLText = """
        SELECT r.name, (
            SELECT max(coalesce(e.start, e.at / 1000 + 1)) FROM erasure e
            WHERE e.personHash = sha256(convert_to(r.name, 'UTF8'))
        ), (SELECT t.start FROM tokenEnd t WHERE t.personName = r.name COLLATE "C")
        FROM unnest(?) AS r (name)
        """

    /// Returns the tokens of people that were signed out before their expiry, by the bytes of the people's names.
    func signedOutTokens(of names: [String]) throws -> [[UInt8]: Set<TokenID>] {
        var tokens: [[UInt8]: Set<TokenID>] = [:]
        for row in try db.rows(Self.signedOutTokens, [names]) {
            let name: String = row[0]
            tokens[Array(name.utf8), default: []].insert(TokenID(row[1] as Data))
        }
        return tokens
    }

    private static let signedOutTokens = SQLText(
        sqlite: "SELECT personName, token FROM endedToken WHERE personName IN (SELECT value FROM json_each(?))",
        postgres: "SELECT personName, token FROM endedToken WHERE personName = ANY(?)"
    )

    /// Returns the tokens of a person that were signed out before their expiry.
    func signedOutTokens(of name: String) throws -> Set<TokenID> {
        Set(
            try db.values("SELECT token FROM endedToken WHERE personName = ?", [name]).map { TokenID($0) }
        )
    }
}
