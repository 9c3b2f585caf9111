import Foundation
import Postgres
import RawSockets
import RunningPostgres
import Testing

@Suite(.timeLimit(.minutes(5))) struct ErrorTests {
    /// Errors that PostgreSQL raises by itself, and what a caller can do about them.
    @Test(
        arguments: [
            ("INSERT INTO t VALUES (1), (1)", .uniqueViolation), ("SELECT 1 / 0", .invalidValue),
            ("SELECT 'secret-value'::bigint", .invalidValue), ("SELECT nothing", .incomplete),
            ("SELECT FROM nothing", .incomplete), ("SELECT nothing()", .incomplete),
            ("SELECT set_config('role', 'missing', true)", .incomplete),
            ("CREATE TABLE u (a int); INSERT INTO u VALUES (1) ON CONFLICT (a) DO NOTHING", .incomplete),
            ("CREATE TABLE u (a int) PARTITION BY HASH (a); INSERT INTO u VALUES (1)", .incomplete),
            (
                """
                CREATE TABLE u (a int) PARTITION BY LIST (a); CREATE TABLE v PARTITION OF u FOR VALUES IN (1);
                INSERT INTO v VALUES (2)
                """, .other
            ),
            ("CREATE TABLE u (a int CHECK (a > 1)); INSERT INTO u VALUES (1)", .other), ("SELECT 1 +", .other),
            ("INSERT INTO t VALUES (NULL)", .other), ("SET LOCAL statement_timeout = 1; SELECT pg_sleep(9)", .timedOut),
        ] as [(String, PostgresError.Kind)]
    ) func `an error has a kind, and advice`(_ sql: String, _ kind: PostgresError.Kind) async throws {
        try await TestDatabase("CREATE TABLE t (id bigint PRIMARY KEY)").use { connection in
            let error = failure { try connection.executeScript(sql) }
            #expect(error?.kind == kind)
            #expect(connection.isUsable)
            #expect(error?.description.contains("secret-value") == false)
        }
    }

    /// Errors that the server is asked to raise: what causes them isn't at hand, such as a full disk.
    @Test(
        arguments: [
            ("40001", .conflict), ("40P01", .conflict), ("53100", .diskFull), ("53300", .unavailable),
            ("57P01", .unavailable), ("57P03", .unavailable), ("08006", .unavailable), ("25006", .unavailable),
            ("55P03", .timedOut), ("57014", .timedOut), ("28P01", .rejected), ("3D000", .rejected), ("P0001", .other),
            ("42P01", .incomplete), ("42501", .incomplete), ("3F000", .incomplete), ("42704", .incomplete),
        ] as [(String, PostgresError.Kind)]
    ) func `a SQLSTATE has a kind`(_ state: String, _ kind: PostgresError.Kind) async throws {
        try await TestDatabase().use { connection in
            let error = failure {
                try connection.executeScript("DO $$ BEGIN RAISE EXCEPTION 'raised' USING ERRCODE = '\(state)'; END $$")
            }
            #expect(error?.kind == kind)
            #expect(error?.sqlState == state)
            // An operator reads it.
            #expect(error?.description.contains("503") == false)
            // A standby's connection is of no use; all others stay.
            #expect(connection.isUsable == (state != "25006"))
        }
    }

    @Test func `at a limit of connections, the advice is to raise it`() async throws {
        let database = try await TestDatabase()
        let user = "limited_\(database.name)"
        try await database.use { connection in
            try connection.executeScript("CREATE ROLE \(user) LOGIN PASSWORD 'secret' CONNECTION LIMIT 1")
        }
        let address = "postgres://\(user):secret@127.0.0.1:\(database.server.port)/\(database.name)"
        let settings = try PostgresSettings(address)
        let error = try await blocking { () -> PostgresError? in
            let connection = try PostgresConnection(settings)
            defer { connection.close() }
            return failure { _ = try PostgresConnection(settings) }
        }
        #expect(error?.kind == .unavailable && error?.isOfConnectionLimit == true, "\(error as Any)")
        #expect(error?.description.contains("Raise max_connections, or the limit of the user") == true)
        // An error of a statement isn't at the limit.
        try await database.use { connection in
            let raise = "DO $$ BEGIN RAISE EXCEPTION 'too many clients' USING ERRCODE = '53300'; END $$"
            #expect(failure { try connection.executeScript(raise) }?.isOfConnectionLimit == false)
        }
    }

    @Test func `errors with the same SQLSTATE are distinguished by the server's function`() {
        #expect(PostgresError.kind(of: "42501", function: "aclcheck_error") == .incomplete)
        #expect(PostgresError.kind(of: "42501", function: "ExecWithCheckOptions") == .other)
        #expect(PostgresError.kind(of: "22023", function: "call_string_check_hook") == .incomplete)
        #expect(PostgresError.kind(of: "22023", function: "Async_Notify") == .invalidValue)
        // Of a database whose transaction ids are used up, and of an index's row that is too large.
        #expect(PostgresError.kind(of: "54000", function: "GetNewTransactionId") == .unavailable)
        #expect(PostgresError.kind(of: "54000", function: "GetNewMultiXactId") == .unavailable)
        #expect(PostgresError.kind(of: "54000", function: "index_form_tuple_context") == .other)
    }

    @Test func `a duplicate names the constraint, and not the value`() async throws {
        try await TestDatabase("CREATE TABLE t (name text CONSTRAINT one_name UNIQUE)").use { connection in
            let insert = "INSERT INTO t VALUES ($1)"
            try connection.execute(insert, ["secret-value"])
            let error = failure { try connection.execute(insert, ["secret-value"]) }
            #expect(error?.constraint == "one_name")
            #expect(error?.sqlState == "23505")
            var text = ""
            dump(error, to: &text)
            text += "\(String(describing: error)) \(String(reflecting: error))"
            #expect(text.contains("INSERT INTO t"))
            #expect(!text.contains("secret-value"))
        }
    }

    @Test(
        arguments: [
            "postgres://user:secret@host:port/db", "host=localhost password=secret secret", "password='secret",
            "postgres://user:se\"cret@[::1/db", "secret", "postgres://user:%zzsecret@host/db",
            "option=\"secret\" secret",
            "postgres://user:secret@cret@host/db", "postgres://user:se@@cret/db", "postgres://user:se@@cret@host/db",
            "postgres:///db?host=@secret@one", "host=@one,@se@cret dbname=db",
            "postgres://user:secret@host/db?sslmode=\"secret\"&a",
            "postgres://user:pass/word?secret=1@host/db", "postgres://user:pass/word?secret@host/db",
            "postgres://user@host/db?password=se&cret=1", "postgres://user@host/db?sslpassword=se&cret=1",
            "postgres://user@host/db?passw%6Frd=se&cret=1",
            "postgres://user@host/db?passfile=a&ss%6Cpassword=se&cret=1",
            "postgres://user:12/secret@host/db",
            "postgresql://user:/secret@host/db", "postgres://user@server:1/secret@host/db?sslmode=require",
        ]
    ) func `an address that can't be read is an error that quotes none of it`(_ address: String) {
        let error = failure { _ = try PostgresSettings(address) }
        #expect(error?.kind == .rejected)
        #expect(error.map { "\($0)".contains("cret") } == false)
    }

    @Test func `a database's name with an encoded @ is read from an address`() throws {
        for address in ["postgres://user@host/a%40b?user=c@d", "dbname=a@b password=postgres://@"] {
            let parts = try PostgresSettings(address).description.split(separator: " ")
            #expect(parts.contains("dbname=a@b"), "\(parts)")
        }
    }

    @Test func `an unknown parameter of an address is named, without its value`() {
        let error = failure { _ = try PostgresSettings("postgres://user:secret@host/db?sslmod=secret") }
        #expect(error?.message == #"invalid URI query parameter: "sslmod""#)
    }

    @Test func `settings are described without a password`() throws {
        let address =
            "postgres://anna:secret@db.example.com:5433/inbox?sslmode=require&sslpassword=secret&options=-csecret"
        let settings = try PostgresSettings(address)
        let shown = Set(settings.description.split(separator: " "))
        #expect(shown == ["host=db.example.com", "port=5433", "dbname=inbox", "user=anna", "sslmode=require"])
        var text = ""
        dump(settings, to: &text)
        text += "\(settings) \(String(reflecting: settings))"
        #expect(!text.contains("secret"))
    }

    @Test func `an IPv6 address, a socket and names in capitals are read from an address`() throws {
        for (address, description) in [
            ("postgres://anna@[::1]:5433/Inbox", "user=anna host=::1 port=5433 dbname=Inbox"),
            ("postgres://anna@%2Frun%2Fpostgresql/My%20Inbox", "user=anna host=/run/postgresql dbname=My Inbox"),
            ("postgres:///inbox?host=/run/postgresql&user=Anna", "user=Anna host=/run/postgresql dbname=inbox"),
            // Linux's abstract namespace.
            ("postgres://anna@%40inbox:5433/inbox", "user=anna host=@inbox port=5433 dbname=inbox"),
            ("postgres://anna:a%40b@/inbox?host=@one,@two", "user=anna host=@one,@two dbname=inbox"),
            ("host=@inbox dbname=inbox", "host=@inbox dbname=inbox"),
        ] {
            let parts = try PostgresSettings(address).description.split(separator: " ")
            #expect(Set(parts).isSuperset(of: description.split(separator: " ")), "\(parts)")
        }
    }

    @Test func `a password and names may have any characters, percent-encoded`() async throws {
        let server = try await DatabaseServer.shared.value
        let administration = try server.settings("postgres")
        let settings = try PostgresSettings(
            "postgres://an%40user%3A%2F1:a%40b%3Ac%2Fd%3Fe%23f%2525%20%5B%C3%A4%5D@127.0.0.1:\(server.port)/My%20Inbox%2F2"
        )
        let names = try await blocking {
            let connection = try PostgresConnection(administration)
            defer { connection.close() }
            try connection.executeScript(#"CREATE ROLE "an@user:/1" LOGIN PASSWORD 'a@b:c/d?e#f%25 [ä]'"#)
            try connection.executeScript(#"CREATE DATABASE "My Inbox/2" OWNER "an@user:/1""#)
            let own = try PostgresConnection(settings)
            defer { own.close() }
            let row = try own.execute("SELECT current_user::text, current_database()::text")[0]
            return [try row[0], try row[1]] as [String]
        }
        #expect(names == ["an@user:/1", "My Inbox/2"])
    }

    @Test func `a wrong password, user or database is rejected, without the password`() async throws {
        let server = try await DatabaseServer.shared.value
        let port = server.port
        for address in [
            "postgres://inbox:secret-wrong@127.0.0.1:\(port)/inbox",
            "postgres://none:secret-wrong@127.0.0.1:\(port)/inbox",
            server.address("none"),
        ] {
            let settings = try PostgresSettings(address)
            let error = try await blocking { failure { _ = try PostgresConnection(settings) } }
            #expect(error?.kind == .rejected)
            #expect(error.map { "\($0)".contains("secret-") } == false)
        }
    }

    /// A server with other `lc_messages`: only its SQLSTATE is in no language.
    @Test(
        arguments: [
            ("28P01", "Passwort stimmt nicht", .rejected), ("28000", "Benutzer unbekannt", .rejected),
            ("3D000", "keine solche Datenbank", .rejected), ("57P03", "Datenbanksystem startet", .unavailable),
            ("53300", "zu viele Verbindungen", .unavailable), ("55000", "keine Verbindungen", .unavailable),
        ] as [(String, String, PostgresError.Kind)]
    ) func `a refused connection has its kind in any language`(
        _ state: String,
        _ text: String,
        _ kind: PostgresError.Kind
    ) async throws {
        let fields = Array("SFATAL\0VFATAL\0C\(state)\0M\(text)\0\0".utf8)
        let answer = Array("E".utf8) + [0, 0, 0, UInt8(fields.count + 4)] + fields
        let server = try SingleResponseServer(response: String(decoding: answer, as: UTF8.self), count: 2)
        let settings = try PostgresSettings(
            "postgres://inbox:secret@127.0.0.1:\(server.port)/inbox?sslmode=disable&gssencmode=disable"
        )
        let error = try await blocking { failure { _ = try PostgresConnection(settings) } }
        #expect(error?.kind == kind)
        #expect(error?.sqlState == state)
        #expect(error?.message.contains(text) == true)
        #expect(server.requests.count == 2)
    }

    @Test func `the password is read from a file for each connection`() async throws {
        let server = try await DatabaseServer.shared.value
        let file = FileManager.default.temporaryDirectory.appending(path: "password-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let settings = try PostgresSettings(
            "postgres://\(server.user)@127.0.0.1:\(server.port)/inbox",
            passwordFile: file
        )
        func connect() async throws -> PostgresError? {
            try await blocking { failure { try PostgresConnection(settings).close() } }
        }
        #expect(try await connect()?.message.contains("can't be read") == true)
        try Data("wrong\n".utf8).write(to: file)
        #expect(try await connect()?.kind == .rejected)
        try Data("\(server.password)\n".utf8).write(to: file)
        #expect(try await connect() == nil)
    }

    @Test func `the password is also read from libpq's own file`() async throws {
        let server = try await DatabaseServer.shared.value
        let file = FileManager.default.temporaryDirectory.appending(path: "pgpass-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("127.0.0.1:*:inbox:\(server.user):\(server.password)\n".utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        let settings = try PostgresSettings(
            "host=127.0.0.1 port=\(server.port) dbname=inbox user=\(server.user) passfile='\(file.path)'"
        )
        #expect(try await blocking { failure { try PostgresConnection(settings).close() } } == nil)
    }

    @Test func `a connection is protected by the machine, or by TLS with a verified server`() async throws {
        func protection(_ host: String, _ address: String, _ isEncrypted: Bool, _ isVerified: Bool)
            -> PostgresConnection.Protection
        {
            PostgresConnection.protection(
                host: host,
                address: address,
                isEncrypted: isEncrypted,
                isVerified: isVerified
            )
        }
        for (host, address) in [("/run/postgresql", ""), ("@inbox", ""), ("localhost", "127.0.0.1"), ("::1", "::1")] {
            #expect(protection(host, address, false, false) == .local)
        }
        let address = "192.0.2.1"
        #expect(protection("db.example.com", address, false, false) == .unprotected)
        // sslmode=verify-full says nothing where TLS isn't in use.
        #expect(protection("db.example.com", address, false, true) == .unprotected)
        #expect(protection("db.example.com", address, true, false) == .encrypted)
        #expect(protection("db.example.com", address, true, true) == .verified)
        func verifies(_ mode: String?, _ binding: String?) -> Bool {
            PostgresConnection.verifiesServer(tlsMode: mode, channelBinding: binding)
        }
        #expect(verifies("verify-full", "prefer") && verifies("verify-ca", nil) && verifies("require", "require"))
        #expect(!verifies("require", "prefer") && !verifies("prefer", "disable") && !verifies(nil, nil))
        let settings = try await DatabaseServer.shared.value.settings()
        let own = try await blocking {
            let connection = try PostgresConnection(settings)
            defer { connection.close() }
            return connection.protection
        }
        #expect(own == .local)
    }

    @Test func `TLS checks the certificate and the name, as libpq does`() async throws {
        let server = try await DatabaseServer.shared.value
        func connect(_ host: String, _ certificate: String) async throws -> PostgresError? {
            let settings = try PostgresSettings(
                "host=\(host) hostaddr=127.0.0.1 port=\(server.port) dbname=inbox user=\(server.user) "
                    + "password=\(server.password) sslmode=verify-full sslrootcert='\(certificate)'"
            )
            return try await blocking {
                failure {
                    let connection = try PostgresConnection(settings)
                    let ssl = try connection.execute("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()")
                    #expect(try ssl[0][0] == true)
                    connection.close()
                }
            }
        }
        #expect(try await connect("localhost", server.certificate) == nil)
        #expect(try await connect("other.example.com", server.certificate)?.kind == .unavailable)
        #expect(try await connect("localhost", "/etc/ssl/certs/ca-certificates.crt")?.kind == .unavailable)
    }
}
