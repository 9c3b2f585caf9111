import Foundation
import Groundwork
import JMAP
import Testing

/// Sessions, also those of servers that omit required members.
@Suite(.timeLimit(.minutes(5))) struct SessionTests {
    private let base = URL(string: "https://mail.example.com:8443/jmap/session")!

    private func session(_ changes: [String: JSON?] = [:], base: URL? = nil) throws -> Session {
        var object = JSONObject([
            ("capabilities", ["urn:ietf:params:jmap:core": ["maxObjectsInGet": 50]]),
            (
                "accounts",
                [
                    "a1": [
                        "name": "Alice", "isPersonal": true, "isReadOnly": false, "accountCapabilities": ["urn:x": [:]],
                    ]
                ]
            ),
            ("primaryAccounts", ["urn:x": "a1"]),
            ("username", "alice"),
            ("apiUrl", "/jmap/"),
            ("downloadUrl", "/jmap/download/{accountId}/{blobId}/{name}?accept={type}"),
            ("uploadUrl", "upload/{accountId}/"),
            ("eventSourceUrl", "https://push.example.com/?types={types}&closeafter={closeafter}&ping={ping}"),
            ("state", "s1"),
        ])
        for (name, value) in changes { object[name] = value }
        return try Session(json: .object(object), base: base ?? self.base)
    }

    @Test func `a session is read`() throws {
        let session = try session()
        #expect(session.username == "alice")
        #expect(session.state == "s1")
        #expect(session.primaryAccounts == ["urn:x": "a1"])
        #expect(session.accounts["a1"]?.name == "Alice")
        #expect(session.accounts["a1"]?.isPersonal == true)
        #expect(session.accounts["a1"]?.isReadOnly == false)
        #expect(session.accounts["a1"]?.accountCapabilities["urn:x"] == [:])
        #expect(session.core.maxObjectsInGet == 50)
        #expect(session.core.maxObjectsInSet == CoreCapability().maxObjectsInSet)
    }

    @Test func `a session is the same after it is written and read`() throws {
        let session = try session()
        #expect(try Session(json: session.json, base: base) == session)
    }

    /// Cyrus sends URLs without scheme and host.
    @Test func `relative URLs become absolute and keep their braces`() throws {
        let session = try session()
        #expect(session.apiURL == "https://mail.example.com:8443/jmap/")
        #expect(
            session.downloadURL
                == "https://mail.example.com:8443/jmap/download/{accountId}/{blobId}/{name}?accept={type}"
        )
        #expect(session.uploadURL == "https://mail.example.com:8443/jmap/upload/{accountId}/")
        #expect(session.eventSourceURL.hasPrefix("https://push.example.com/?types={types}"))
    }

    @Test(arguments: [
        ("https://a.example/jmap", "api", "https://a.example/api"),
        ("https://a.example/jmap/", "api", "https://a.example/jmap/api"),
        ("https://a.example", "api", "https://a.example/api"),
        ("https://a.example/jmap/session?x=/y", "api", "https://a.example/jmap/api"),
        ("https://a.example/x/y", "/api?next=https://b.example/", "https://a.example/api?next=https://b.example/"),
        ("https://a.example/x/y", "//b.example:1/api", "https://b.example:1/api"),
        ("https://a.example/x/y", "HTTP://b.example/api", "HTTP://b.example/api"),
        ("http://[::1]:8080/jmap/", "/api", "http://[::1]:8080/api"),
        ("http://127.0.0.1:80/.well-known/jmap", "{accountId}:x", "http://127.0.0.1:80/.well-known/{accountId}:x"),
        ("https://alice:secret@a.example/jmap/", "/api", "https://a.example/api"),
    ])
    func `a URL is resolved against the session's URL`(base: String, address: String, whole: String) throws {
        let base = try #require(URL(string: base))
        #expect(try session(["apiUrl": .string(address)], base: base).apiURL == whole)
    }

    @Test(arguments: ["capabilities", "accounts", "apiUrl", "downloadUrl", "uploadUrl", "eventSourceUrl"])
    func `an error about a missing member names it`(name: String) {
        #expect(throws: JSONValueError(pointer: JSONPointer([name]), problem: "is required")) {
            try session([name: nil])
        }
        #expect(throws: JSONValueError(pointer: JSONPointer([name]), problem: "is required")) {
            try session([name: .null])
        }
    }

    @Test(arguments: ["primaryAccounts", "username", "state"])
    func `a member that some servers omit is empty`(name: String) throws {
        let session = try session([name: nil])
        #expect(session.json[name] == (name == "primaryAccounts" ? JSON.object(JSONObject()) : ""))
    }

    @Test func `an account without properties is personal and writable`() throws {
        let account = try #require(try session(["accounts": ["a": [:]]]).accounts["a"])
        #expect(
            account == Session.Account(name: "", isPersonal: true, isReadOnly: false, accountCapabilities: JSONObject())
        )
    }

    @Test func `an error about a member of a wrong type names it`() {
        #expect(throws: JSONValueError(pointer: JSONPointer(["apiUrl"]), problem: "has to be a string")) {
            try session(["apiUrl": 1])
        }
        #expect(throws: JSONValueError(pointer: JSONPointer(["accounts", "a", "name"]), problem: "has to be a string"))
        {
            try session(["accounts": ["a": ["name": 1]]])
        }
        #expect(throws: JSONValueError.self) { try session(["capabilities": []]) }
        #expect(throws: JSONValueError.self) { try Session(json: "text", base: base) }
    }

    @Test func `the event source URL has its variables filled in`() throws {
        let url = try #require(try session().eventSourceURL(types: ["A", "B"], ping: 30))
        #expect(url.absoluteString == "https://push.example.com/?types=A,B&closeafter=no&ping=30")
        let closing = try session().eventSourceURL(types: ["*"], closeAfter: "state", ping: 0)
        #expect(closing?.absoluteString == "https://push.example.com/?types=*&closeafter=state&ping=0")
    }
}
