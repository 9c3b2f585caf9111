import ArgumentParser
import Foundation

#if PostgreSQL
    import Postgres
#endif

/// The value of `--database`, or of another option: a SQLite file, or the address of a database of PostgreSQL.
struct DatabaseAddress: Sendable {
    private var text: String
    private let option: String

    init(_ text: String, option: String = "--database") {
        (self.text, self.option) = (text, option)
        // libpq knows the scheme in lowercase alone.
        if isPostgreSQL, let scheme, let end = text.range(of: "://") { self.text = scheme + text[end.lowerBound...] }
    }

    /// The part before `://`, in lowercase. Nil for the path of a file.
    private var scheme: String? {
        guard let end = text.range(of: "://")?.lowerBound else { return nil }
        let scheme = text[..<end].lowercased()
        return scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) } && !scheme.isEmpty ? scheme : nil
    }

    var isPostgreSQL: Bool { ["postgres", "postgresql"].contains(scheme) }

    /// The file's URL or the address.
    ///
    /// - Throws: `ValidationError` if it begins as an address but isn't one.
    var url: URL {
        get throws {
            guard isPostgreSQL else { return try path }
            guard
                let address = URL(string: text, encodingInvalidCharacters: false)
                    ?? URL(string: encoded, encodingInvalidCharacters: false)
            else {
                throw ValidationError(
                    "\(option) isn't an address. In it, the characters @ : / ? # of a password are %40 %3A %2F %3F "
                        + "%23, and several hosts with ports are ?host=one,two&port=5432,5433."
                )
            }
            return address
        }
    }

    /// The address with those characters percent-encoded that a URL doesn't have, such as a space in a password, and
    /// with all else as it is. Foundation would also encode each `%`, so that a password with `%40` would be another.
    private var encoded: String {
        let begin = text.range(of: "://")?.upperBound ?? text.startIndex
        let authority = text[begin...].prefix { !"/?#".contains($0) }
        let host = authority.lastIndex(of: "@") ?? begin
        return zip(text.utf8.indices, text.utf8).reduce(into: "") { encoded, unit in
            let (place, byte) = unit
            let isPart =
                switch byte {
                case UInt8(ascii: "%"): text.utf8[place...].dropFirst().prefix(2).count(where: Self.isDigit) == 2
                // Those of a host's IPv6 address.
                case UInt8(ascii: "["), UInt8(ascii: "]"): (host..<authority.endIndex).contains(place)
                default: Self.characters.contains(byte)
                }
            let digits = String(byte, radix: 16, uppercase: true)
            encoded += isPart ? String(UnicodeScalar(byte)) : "%" + (digits.count < 2 ? "0" : "") + digits
        }
    }

    /// The characters of a URL, but `%`, `[` and `]`.
    private static let characters = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:/?#@!$&'()*+,;=".utf8
    )

    private static func isDigit(_ byte: UInt8) -> Bool { Character(UnicodeScalar(byte)).isHexDigit }

    /// Returns the file's URL or the address, for a command that uses it. It warns about secrets in the address.
    ///
    /// - Throws: As ``url``.
    func read() throws -> URL {
        let url = try self.url
        if let secretWarning { Output.note("inbox: \(secretWarning)") }
        return url
    }

    /// The warning about a password or other secrets in the address; nil if it has none.
    var secretWarning: String? {
        let secrets = secrets
        guard isPostgreSQL, !secrets.isEmpty else { return nil }
        let names = secrets.map { $0 == "password" ? "the password" : $0 }.joined(separator: ", ")
        var advice =
            secrets.contains("password") ? ["PGPASSFILE=FILE, passfile=FILE in the address, or PGPASSWORD"] : []
        // Of these, libpq reads none from a file of passwords or from the environment.
        if secrets != ["password"] { advice.append("a service file (PGSERVICEFILE=FILE PGSERVICE=NAME)") }
        return """
            \(option) exposes \(names) to every user of this machine (in ps). Use \(advice.joined(separator: "; ")) \
            instead.
            """
    }

    /// The names of the secrets in the address: a password after the user, or parameters of libpq. None in a build
    /// without PostgreSQL, which connects to no address.
    private var secrets: [String] {
        #if PostgreSQL
            guard let begin = text.range(of: "://")?.upperBound else { return [] }
            let rest = text[begin...]
            // libpq reads the user until the first of these, also where a URL would end it by ? or #.
            let first = rest.prefix { !"@/".contains($0) }
            let user = rest[first.endIndex...].hasPrefix("@") ? first : ""
            let parameters = rest.drop { $0 != "?" }.dropFirst().split(separator: "&").map { parameter in
                // libpq decodes names, too.
                let (name, value) = (parameter.prefix { $0 != "=" }, parameter.drop { $0 != "=" }.dropFirst())
                return (name: name.removingPercentEncoding ?? "", isEmpty: value.isEmpty)
            }
            let hasPassword = user.drop { $0 != ":" }.count > 1
            return LibpqSecrets.names.filter { secret in
                hasPassword && secret == "password" || parameters.contains { $0.name == secret && !$0.isEmpty }
            }
        #else
            return []
        #endif
    }

    /// The file, for a command that works on SQLite's alone.
    ///
    /// - Throws: `ValidationError` for an address of PostgreSQL.
    var file: URL {
        get throws {
            guard !isPostgreSQL else {
                throw ValidationError(
                    "This is for SQLite files. Use PostgreSQL's own pg_dump and pg_restore, and after them inbox "
                        + "restore with --database alone."
                )
            }
            return try path
        }
    }

    /// Whether it is an address of PostgreSQL in libpq's other form, such as `host=db dbname=inbox`.
    private var hasKeywords: Bool {
        text.split(separator: " ").contains { word in
            ["host", "hostaddr", "dbname", "service"].contains(word.prefix { $0 != "=" }) && word.contains("=")
        }
    }

    private var path: URL {
        get throws {
            try PathArgument.check(text, of: option)
            // It may have a password, so it isn't quoted.
            guard scheme == nil && !hasKeywords || scheme == "file" else {
                throw ValidationError("\(option) has to be a file, or an address that begins with postgres://.")
            }
            return scheme == nil ? URL(fileURLWithPath: text) : URL(string: text) ?? URL(fileURLWithPath: text)
        }
    }
}
