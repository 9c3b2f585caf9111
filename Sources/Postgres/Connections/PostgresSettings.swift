import CLibpq
package import Foundation

/// The address of a database, with the credentials: a connection string or URL, as libpq reads it.
///
/// Values that the string omits come from the environment (`PGHOST`, `PGPASSWORD`, …), from the service file and from
/// the password file (`.pgpass`, `PGPASSFILE`), but for `connect_timeout` and the limits of silence, which are this
/// type's then. `options`, and the kind of server (`target_session_attrs`), may be in the environment, and not in a
/// service file. `sslmode` and the other options of TLS are libpq's.
package struct PostgresSettings: Sendable {
    let options: [(name: String, value: String)]
    private let passwordFile: URL?
    /// Whether a pooler in transaction mode is between, such as PgBouncer: then statements are unnamed, because the
    /// next transaction may run on another connection.
    package let usesPooler: Bool
    /// Settings of the database for each connection, whatever its user's are later.
    private var fixed: [(name: String, value: String)] = []
    /// The seconds after which an attempt to connect leaves a host, or an address of it: `connect_timeout`, or 5. libpq
    /// counts whole seconds, and takes 1 for 2.
    private let connectTimeout: Int

    /// - Parameters:
    ///   - address: `postgres://user@host/database` or `host=… dbname=…`.
    ///   - passwordFile: A file with the password in its first line. It is read for each connection, so the password
    ///     can be replaced while the server runs.
    /// - Throws: ``PostgresError`` of the kind `rejected` if libpq can't read the string. The error quotes none of it.
    package init(
        _ address: String,
        passwordFile: URL? = nil,
        usesPooler: Bool = false
    ) throws(PostgresError) {
        guard !address.utf8.contains(0) else { throw PostgresError(.rejected, "the address contains U+0000") }
        var reason: UnsafeMutablePointer<CChar>?
        guard let parsed = PQconninfoParse(address, &reason) else {
            defer { PQfreemem(reason) }
            let text = reason.map { String(cString: $0).firstLine } ?? "out of memory"
            throw PostgresError(.rejected, Self.unknownParameter(text, in: address) ?? Self.withoutQuotes(text))
        }
        defer { PQconninfoFree(parsed) }
        var options: [(String, String)] = []
        var option = parsed
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { options.append((String(cString: keyword), String(cString: value))) }
            option += 1
        }
        // libpq would quote these when it connects, and a password with @, : or / in it may end up there.
        for (name, value) in options {
            let isValid =
                switch name {
                // A host that begins with @ is a socket in Linux's abstract namespace.
                case "host":
                    !Self.hasUnencodedAt(inHostOf: address)
                        && value.split(separator: ",").allSatisfy { !$0.dropFirst().contains("@") }
                case "dbname": !Self.hasUnencodedAt(inPathOf: address)
                case "port": value.allSatisfy { $0.isASCII && ($0.isNumber || $0 == ",") }
                default: true
                }
            guard isValid else {
                throw PostgresError(
                    .rejected,
                    "invalid \(name): in a URL, the characters @ : / of a password are %40 %3A %2F"
                )
            }
        }
        self.options = options
        self.passwordFile = passwordFile
        self.usesPooler = usesPooler
        // As in libpq, 0 is no limit; an hour is near enough.
        let timeout = options.first { $0.0 == "connect_timeout" }.flatMap { Double($0.1) }
        connectTimeout = timeout.map { $0 > 0 ? Int(min($0, 3_600).rounded(.up)) : 3_600 } ?? 5
    }

    /// Returns the settings with some of the database's own that each connection has, whatever its user's are later.
    package func fixing(_ values: [(name: String, value: String)]) -> PostgresSettings {
        var settings = self
        settings.fixed += values
        return settings
    }

    /// The options of one attempt to connect, with the password from its file.
    func optionsWithPassword() throws(PostgresError) -> [(name: String, value: String)] {
        var all = options.filter { $0.name != "connect_timeout" }
        all += [
            ("client_encoding", "UTF8"), ("fallback_application_name", "swift-inbox"),
            ("connect_timeout", "\(connectTimeout)"),
        ]
        // A standby accepts no writes, and its rows may be older than answers that were given. Unlike `read-write`,
        // this accepts a database whose transactions are read-only by default: here they aren't.
        let wanted =
            options.first { $0.name == "target_session_attrs" }?.value
            ?? ProcessInfo.processInfo.environment["PGTARGETSESSIONATTRS"]
        if wanted == nil { all.append(("target_session_attrs", "primary")) }
        for (name, value) in Self.keepalives where !options.contains(where: { $0.name == name }) {
            all.append((name, value))
        }
        if !usesPooler {
            // A pooler accepts none.
            let own = Self.serverSettings.map { "-c \($0)=\($1)" }
            let stated = options.filter { $0.name == "options" }.map(\.value)
            let others = stated.isEmpty ? [ProcessInfo.processInfo.environment["PGOPTIONS"]].compactMap { $0 } : stated
            all.removeAll { $0.name == "options" }
            var required = Self.requiredSettings
            // By these, libpq chooses a server by this setting.
            if !["read-write", "read-only"].contains(wanted) {
                required.append(("default_transaction_read_only", "off"))
            }
            let last = (required + fixed).map { "-c \($0.name)=\(Self.escaped($0.value))" }
            all.append(("options", (own + others + last).joined(separator: " ")))
        }
        if let passwordFile {
            guard let text = try? String(contentsOf: passwordFile, encoding: .utf8) else {
                throw PostgresError(.rejected, "the file with the password can't be read: \(passwordFile.path)")
            }
            all.append(("password", String(text.split(whereSeparator: \.isNewline).first ?? "")))
        }
        return all
    }

    /// Returns a value as PostgreSQL reads it in `options`, where spaces separate settings.
    private static func escaped(_ value: String) -> String {
        value.reduce(into: "") { text, character in
            if character.isWhitespace || character == "\\" { text.append("\\") }
            text.append(character)
        }
    }

    /// A network that was cut is noticed after 25 seconds, unless the address says otherwise.
    private static let keepalives = [
        ("keepalives_idle", "10"), ("keepalives_interval", "5"), ("keepalives_count", "3"),
        ("tcp_user_timeout", "25000"),
    ]

    /// Settings of the database for a connection. Options of the address come after them.
    private static let serverSettings = [
        // Statements are short: to compile one takes longer than to run it.
        ("jit", "off"),
        // Rows are found by their keys, and their pages are mostly in memory or on a flash disk. With the default, 4,
        // a partition of few pages is read as a whole for each of thousands of keys.
        ("random_page_cost", "1.1"),
        // The user's own limits, which hosted databases often have, would end an erasure of a large inbox each time.
        // Each read and each group of writes has a deadline here.
        ("statement_timeout", "0"), ("lock_timeout", "0"),
        // A client that was stopped, or whose machine can't be reached, must not keep its locks: others wait for them.
        ("idle_in_transaction_session_timeout", "15s"), ("tcp_keepalives_idle", "10"),
        ("tcp_keepalives_interval", "5"), ("tcp_keepalives_count", "3"), ("tcp_user_timeout", "25s"),
    ]

    /// Settings of the database for a connection, whatever the address says.
    private static let requiredSettings: [(name: String, value: String)] = [
        // Only a warning reports that the wait of a commit for its standby was cancelled (`ServerNotices`).
        ("client_min_messages", "warning"),
        // A backslash in a text is one, also in the body of a function. Names are as the catalog has them.
        ("standard_conforming_strings", "on"), ("quote_all_identifiers", "off"),
        // For a statement outside of a transaction. Each transaction states its own.
        ("default_transaction_isolation", "read committed"),
    ]

    /// The same for one transaction, where a pooler is between: one statement.
    var transactionSettings: PostgresStatement {
        .setLocal(
            [
                ("jit", "off"), ("random_page_cost", "1.1"), ("statement_timeout", "0"), ("lock_timeout", "0"),
                ("idle_in_transaction_session_timeout", "15s"), ("client_min_messages", "warning"),
                ("standard_conforming_strings", "on"),
            ] + fixed
        )
    }

    /// Returns whether the host of a URL has an `@` that isn't percent-encoded, as it has where a password contains
    /// one: libpq ends the user, with the password, at the first.
    private static func hasUnencodedAt(inHostOf address: String) -> Bool {
        guard ["postgres://", "postgresql://"].contains(where: { address.hasPrefix($0) }),
            let begin = address.range(of: "://")?.upperBound
        else { return false }
        let rest = address[begin...].drop { !"@/".contains($0) }
        return rest.hasPrefix("@") && rest.dropFirst().prefix { !"/?".contains($0) }.contains("@")
    }

    /// Returns whether the name of the database in a URL has an `@` that isn't percent-encoded, as it has where a
    /// password contains a `/`: libpq takes what is before that for the host and the port.
    private static func hasUnencodedAt(inPathOf address: String) -> Bool {
        guard ["postgres://", "postgresql://"].contains(where: { address.hasPrefix($0) }),
            let begin = address.range(of: "://")?.upperBound
        else { return false }
        return address[begin...].drop { $0 != "/" }.prefix { $0 != "?" }.contains("@")
    }

    /// Returns libpq's reason where it names an unknown parameter of a URL. Nil where the name could be a part of a
    /// secret, such as of a password with `&` in it, which is before `@` or a parameter itself.
    private static func unknownParameter(_ reason: String, in address: String) -> String? {
        guard reason.hasPrefix("invalid URI query parameter: "), let mark = address.firstIndex(of: "?") else {
            return nil
        }
        let query = address[mark...]
        let names = query.dropFirst().split(separator: "&").map { $0.prefix { $0 != "=" } }
        // libpq decodes names, too.
        let hasSecret = names.contains { LibpqSecrets.names.contains($0.removingPercentEncoding ?? "") }
        // The first one isn't behind a secret, and an older libpq doesn't know some of these names.
        let isSecretItself = names.first.map {
            LibpqSecrets.names.contains(String($0)) && reason.hasSuffix("\"\($0)\"")
        }
        return query.contains("@") || hasSecret && isSecretItself != true ? nil : reason
    }

    /// Removes the parts of a string that libpq quotes, from the first quotation mark to the last.
    private static func withoutQuotes(_ text: String) -> String {
        guard let first = text.firstIndex(of: "\""), let last = text.lastIndex(of: "\""), first < last else {
            return text
        }
        return text[..<first] + "…" + text[text.index(after: last)...]
    }
}

/// The description has some options. All others, such as the password, are left out.
extension PostgresSettings: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String {
        let shown = ["host", "hostaddr", "port", "dbname", "user", "sslmode"]
        return options.filter { shown.contains($0.name) }.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
    }

    package var debugDescription: String { description }

    package var customMirror: Mirror { Mirror(self, children: ["address": description]) }
}

/// The parameters of libpq whose values are secrets, in the address of a database (PostgreSQL's documentation,
/// "Parameter Key Words"; the last three from version 18 on). Those that name a file aren't among them.
package enum LibpqSecrets {
    package static let names = [
        "password", "sslpassword", "oauth_client_secret", "scram_client_key", "scram_server_key",
    ]
}
