import ArgumentParser
import Foundation
import Testing

@testable import inbox

@Suite(.timeLimit(.minutes(5))) struct DatabaseAddressTests {
    private func error(_ text: String) -> String? {
        do {
            _ = try DatabaseAddress(text).url
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test(arguments: [
        "host=db dbname=inbox", "dbname=inbox user=me", "  service=inbox", "hostaddr=127.0.0.1 password=secret",
        "mysql://db/inbox",
    ])
    func `an address in another form isn't a file of that name`(_ text: String) {
        #expect(error(text)?.contains("has to be a file, or an address that begins with postgres://") == true)
        #expect(error(text)?.contains("secret") == false)
    }

    @Test(arguments: ["inbox.sqlite", "my inbox=2.sqlite", "/tmp/hosts/a b.sqlite", "file:///tmp/a.sqlite"])
    func `every path is the address of a file`(_ text: String) throws {
        let address = DatabaseAddress(text)
        #expect(!address.isPostgreSQL)
        #expect(try address.url.isFileURL && address.file == address.url)
    }

    @Test(arguments: [
        ("postgres://me:secret@db/inbox", true), ("POSTGRESQL://me:a:b@db/inbox", true),
        ("postgres://db/inbox?user=me&password=secret", true), ("postgres://me:@db/inbox?password=secret", true),
        ("postgres://db/inbox?p%61ssword=secret", true),
        ("postgres://me:12?secret@db/inbox", true), ("postgres://me:12#secret@db/inbox", true),
        ("postgres://me@db:5432/inbox", false), ("postgres://me:@db/inbox", false),
        ("postgres://one:5432,two:5433/inbox?user=a:b@c", false), ("postgres://db/inbox?passfile=/etc/a:b", false),
        ("/tmp/me:secret@db.sqlite", false),
    ])
    func `a password in an address is warned about and not quoted`(_ text: String, hasWarning: Bool) {
        let warning = DatabaseAddress(text, option: "--from").secretWarning
        #expect((warning != nil) == hasWarning)
        #expect(warning?.hasPrefix("--from exposes the password") ?? true)
        #expect(warning?.contains("secret") != true)
    }

    @Test(arguments: [
        ("sslkey=/etc/a&sslpassword=secret", "sslpassword"), ("oauth_client_secret=secret", "oauth_client_secret"),
        ("scram_client_key=secret&scram_server_key=secret", "scram_client_key, scram_server_key"),
        ("ss%6Cpassword=secret&password=secret", "the password, sslpassword"),
    ])
    func `other secrets in an address are warned about like a password`(_ parameters: String, names: String) {
        let warning = DatabaseAddress("postgres://me@db/inbox?\(parameters)").secretWarning
        #expect(warning?.hasPrefix("--database exposes \(names) to every user") == true, "\(warning as Any)")
        #expect(warning?.contains("PGSERVICEFILE=FILE") == true)
        #expect(warning?.contains("=secret") != true)
    }

    @Test(arguments: [
        "sslkey=/etc/a", "sslpassword=", "passfile=/etc/a&sslrootcert=/etc/b", "application_name=password",
    ])
    func `parameters without secrets aren't warned about`(_ parameters: String) {
        #expect(DatabaseAddress("postgres://me@db/inbox?\(parameters)").secretWarning == nil)
    }

    @Test(arguments: [
        "postgres://me@[::1]:5433/Inbox", "postgres:///inbox?host=/var/run/postgresql", "postgres://me@one,two/inbox",
        "postgres://me@%2Fvar%2Frun%2Fpostgresql/inbox", "postgres://me:a%40%3A%2F%3F%23%25@db/My%20Inbox",
        "postgres://me@db/inbox?options=-csearch_path%3Dmine", "postgres://me@%40inbox:5433/inbox",
    ])
    func `an address is as it was written`(_ text: String) throws {
        #expect(try DatabaseAddress(text).url.absoluteString == text)
    }

    @Test(arguments: [
        ("postgres://me:a%40b c@db/inbox", "postgres://me:a%40b%20c@db/inbox"),
        (#"postgres://me:%3A[|]\^@db/inbox"#, "postgres://me:%3A%5B%7C%5D%5C%5E@db/inbox"),
        ("postgres://me:50%@db/inbox", "postgres://me:50%25@db/inbox"),
        ("postgres://me@[::1]/a[b]?password=[c]", "postgres://me@[::1]/a%5Bb%5D?password=%5Bc%5D"),
        ("postgresql://[fe80::1%eth0]:5432/db", "postgresql://[fe80::1%25eth0]:5432/db"),
        ("PostgreSQL://me@db/Inbox", "postgresql://me@db/Inbox"),
        ("postgres://me:p%40ä\n@[::1]/inbox", "postgres://me:p%40%C3%A4%0A@[::1]/inbox"),
    ])
    func `an address is completed as libpq reads it, and not encoded twice`(_ text: String, encoded: String) throws {
        #expect(try DatabaseAddress(text).url.absoluteString == encoded)
    }

    @Test func `an invalid address is an error that shows the form of several hosts`() throws {
        let known = try DatabaseAddress("postgres://me@/inbox?host=one,two&port=5432,5433").url
        #expect(known.query() == "host=one,two&port=5432,5433")
        let text = error("postgres://me:secret@one:5432,two:5433/inbox")
        #expect(text?.contains("?host=one,two&port=5432,5433") == true)
        #expect(text?.contains("secret") == false)
    }
}
