import Foundation
import Groundwork
import Testing

@testable import InboxServer

/// Pictures that the server itself has.
@Suite(.timeLimit(.minutes(5))) struct PictureTests {
    private static let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 4 3\"/>"

    @Test func `a server's picture is public and can't run code`() async throws {
        try await withServer(configure: { $0.pictures = ["map.svg": Self.svg] }) { server in
            let answer = try await server.request("GET", "/inbox/pictures/map.svg")
            #expect(answer.status == 200 && answer.bytes == Array(Self.svg.utf8))
            #expect(answer.header("Content-Type") == "image/svg+xml")
            #expect(answer.header("X-Content-Type-Options") == "nosniff")
            #expect(answer.header("Content-Security-Policy") == "default-src 'none'; sandbox")
            let tag = try #require(answer.header("ETag"))
            let again = try await server.request("GET", "/inbox/pictures/map.svg", headers: ["If-None-Match": tag])
            #expect(again.status == 304)
            for name in ["other.svg", "..%2Fmap.svg", "map.svg%00", "MAP.svg"] {
                #expect(try await server.request("GET", "/inbox/pictures/\(name)").status == 404)
            }
        }
    }

    @Test func `a server without pictures has no address for them`() async throws {
        try await withServer { server in
            #expect(!server.routes.contains { $0.path.contains("pictures") })
            let answer = try await server.request("GET", "/inbox/pictures/map.svg")
            #expect(answer.status == 404)
        }
    }

    @Test func `a card shows a picture of the server's under the page's usual policy`() async throws {
        try await withServer(configure: { $0.pictures = ["map.svg": Self.svg] }) { server in
            let url = "\(server.url.absoluteString)/inbox/pictures/map.svg"
            try await server.send(to: ["person": "ann"], ["title": "Map", "media": ["url": .string(url), "alt": "A"]])
            let page = try await Browser.signedIn("ann", on: server).get("/inbox")
            #expect(page.text.contains("src=\"\(url)\""))
            let policy = try #require(page.headers["content-security-policy"])
            #expect(policy.contains("default-src 'none'") && policy.contains("; img-src http: https:;"))
        }
    }
}
