import ArgumentParser
import Foundation
import Testing

@testable import inbox

@Suite(.timeLimit(.minutes(1))) struct DatabaseAddressTests {
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
        #expect(error(text)?.contains("begins with postgres://") == true)
        #expect(error(text)?.contains("secret") == false)
    }

    @Test(arguments: ["inbox.sqlite", "my inbox=2.sqlite", "/tmp/hosts/a b.sqlite", "file:///tmp/a.sqlite"])
    func `every path is the address of a file`(_ text: String) throws {
        let address = DatabaseAddress(text)
        #expect(!address.isPostgreSQL)
        #expect(try address.url.isFileURL && address.file == address.url)
    }

    @Test func `an invalid address is an error that shows the form of several hosts`() throws {
        let known = try DatabaseAddress("postgres://me@/inbox?host=one,two&port=5432,5433").url
        #expect(known.query() == "host=one,two&port=5432,5433")
        let text = error("postgres://me:secret@one:5432,two:5433/inbox")
        #expect(text?.contains("?host=one,two&port=5432,5433") == true)
        #expect(text?.contains("secret") == false)
    }
}
