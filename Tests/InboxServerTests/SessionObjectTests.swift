import Foundation
import Groundwork
import InboxModel
import JMAP
import Testing

@testable import InboxServer
@testable import InboxService

@Suite(.timeLimit(.minutes(10))) struct SessionObjectTests {
    @Test func `the session object names the person, account, URLs and limits`() async throws {
        try await withServer { server in
            let device = try await server.device(of: "ann")
            let answer = try await server.request("GET", "/.well-known/jmap", headers: device.authorization)
            #expect(answer.header("Cache-Control") == "no-cache, no-store, must-revalidate")
            let json = answer.json
            #expect(json["username"] == "ann")
            let session = try Session(json: json, base: server.url)
            #expect(Identifier.isValid(device.account))
            #expect(
                session.primaryAccounts == [CoreCapability.uri: device.account, MessageCapability.uri: device.account]
            )
            #expect(Array(session.accounts.keys) == [device.account])
            #expect(session.accounts[device.account]?.accountCapabilities[MessageCapability.uri] != nil)
            let core = try #require(json["capabilities"]?[CoreCapability.uri])
            for limit in [
                "maxSizeUpload", "maxConcurrentUpload", "maxSizeRequest", "maxConcurrentRequests", "maxCallsInRequest",
                "maxObjectsInGet", "maxObjectsInSet",
            ] {
                #expect(core[limit]?.intValue != nil, "\(limit)")
            }
            #expect(core["collationAlgorithms"] == ["i;ascii-casemap", "i;octet", "i;unicode-casemap"])
            #expect(session.apiURL == server.url.absoluteString + "/jmap/api")
            #expect(session.eventSourceURL.hasSuffix("/?types={types}&closeafter={closeafter}&ping={ping}"))
            let state = try await device.post(["using": [], "methodCalls": []]).json["sessionState"]?.stringValue
            #expect(state == session.state)
        }
    }

    @Test func `session URLs follow the public URL, or else a valid Host header`() async throws {
        try await withServer { server in
            let token = try await server.device(of: "ann").authorization
            for (host, expected) in [
                ("inbox.example:8443", "http://inbox.example:8443/jmap/api"), ("[::1]:80", "http://[::1]:80/jmap/api"),
                ("evil/%22", server.url.absoluteString + "/jmap/api"),
            ] {
                let headers = token.merging(["Host": host]) { $1 }
                let session = try await server.request("GET", "/.well-known/jmap", headers: headers).json
                #expect(session["apiUrl"] == .string(expected))
            }
        }
        try await withServer(publicURL: URL(string: "https://inbox.example/base/")) { server in
            let device = try await server.device(of: "ann")
            let session = try await server.request("GET", "/.well-known/jmap", headers: device.authorization).json
            #expect(session["apiUrl"] == "https://inbox.example/base/jmap/api")
        }
    }
}
