import Crypto
import Eventually
import Foundation
import GRDB
import Groundwork
import JMAP
import Testing

@testable import InboxServer
@testable import InboxService

/// Upload and download (RFC 8620 §6).
@Suite(.timeLimit(.minutes(10))) struct BlobTests {
    private func upload(
        _ content: [UInt8],
        _ device: Device,
        type: String? = "text/plain",
        account: String? = nil
    ) async throws -> Answer {
        var headers = device.authorization
        // URLSession sends no Content-Type header for an empty value.
        headers["Content-Type"] = type
        return try await device.server.request(
            "POST",
            "/jmap/upload/\(account ?? device.account)",
            body: content,
            headers: headers
        )
    }

    private func id(_ content: String, _ device: Device) async throws -> String {
        let answer = try await upload(Array(content.utf8), device)
        guard let id = answer.json["blobId"]?.stringValue else {
            throw UnexpectedResponse(answer: answer.json.description)
        }
        return id
    }

    private func download(
        _ id: String,
        _ device: Device,
        name: String = "a.txt",
        type: String = "text%2Fplain",
        account: String? = nil
    ) async throws -> Answer {
        try await device.server.request(
            "GET",
            "/jmap/download/\(account ?? device.account)/\(id)/\(name)?type=\(type)",
            headers: device.authorization
        )
    }

    @Test func `an uploaded blob downloads unchanged, empty or 3 MB`() async throws {
        try await withServer { server in
            let device = try await server.device(of: "ann")
            for content in [Array("Hi\0\u{FF}".utf8), [], (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }] {
                let answer = try await upload(content, device)
                #expect(answer.status == 201)
                #expect(answer.header("Content-Type") == "application/json")
                let json = answer.json
                #expect(json["accountId"] == .string(device.account))
                #expect(json["type"] == "text/plain")
                #expect(json["size"] == JSON(content.count))
                let id = try #require(json["blobId"]?.stringValue)
                #expect(Identifier.isValid(id))
                let back = try await download(id, device)
                #expect(back.status == 200)
                #expect(back.bytes == content)
            }
        }
    }

    @Test func `an uploaded type is normalized and never sniffed`() async throws {
        try await withServer { server in
            let device = try await server.device(of: "ann")
            for (type, expected) in [
                ("Text/HTML;Charset=UTF-8", "text/html; charset=UTF-8"), ("image/png", "image/png"),
                ("x/y; a=\"b;c\"", "x/y; a=\"b;c\""),
            ] {
                let answer = try await upload(Array("<html>".utf8), device, type: type)
                #expect(answer.json["type"] == .string(expected))
            }
            #expect(try await upload([1], device, type: "nonsense").status == 400)
        }
    }

    @Test func `a download has the requested type, a safe file name and sandbox headers`() async throws {
        try await withServer { server in
            let device = try await server.device(of: "ann")
            let id = try await id("<script>alert(1)</script>", device)
            let answer = try await download(
                id,
                device,
                name: "%C3%A4%22%2F..%0D%0Ax.html",
                type: "text%2Fhtml;charset=UTF-8"
            )
            #expect(answer.status == 200)
            #expect(answer.header("Content-Type") == "text/html;charset=UTF-8")
            #expect(answer.header("X-Content-Type-Options") == "nosniff")
            #expect(answer.header("Content-Security-Policy") == "sandbox; default-src 'none'")
            #expect(answer.header("Cache-Control") == "private, immutable, max-age=86400")
            #expect(
                answer.header("Content-Disposition")
                    == "attachment; filename=\"___..__x.html\"; filename*=UTF-8''%C3%A4%22%2F..%0D%0Ax.html"
            )
            for type in ["text", "text%2Fhtml%0D%0AX-Evil:%201", "text%2Fhtml%00", "a%2Fb;c", "%C3%A4%2Fb"] {
                let wrong = try await download(id, device, type: type)
                #expect(wrong.status == 400, "\(type)")
                #expect(wrong.header("X-Evil") == nil)
            }
            #expect(try await download(id, device, name: "%FF").status == 400)
        }
    }

    @Test func `unknown blobs and other accounts are not found`() async throws {
        try await withServer { server in
            let ann = try await server.device(of: "ann")
            let bob = try await server.device(of: "bob")
            let id = try await id("Hi", ann)
            #expect(try await download(id, bob, account: ann.account).status == 404)
            #expect(try await download(id, bob).status == 404)
            #expect(try await upload([1], bob, account: ann.account).status == 404)
            #expect(try await upload([1], bob, account: "unknown").status == 404)
            for unknown in [
                "x", "b", String(id.dropLast()) + "g", id.uppercased(), id + "0",
                "b" + String(repeating: "0", count: 64),
            ] {
                let answer = try await download(unknown, ann)
                #expect(answer.status == 404, "\(unknown)")
                #expect(answer.header("Content-Type") == "application/problem+json")
            }
            #expect(try await server.request("GET", "/jmap/download/\(ann.account)/\(id)/a?type=a%2Fb").status == 401)
            #expect(try await server.request("POST", "/jmap/upload/\(ann.account)", body: [1]).status == 401)
            #expect(try await download(id, ann).bytes == Array("Hi".utf8))
        }
    }

    @Test func `uploading the same content again returns the same id and extends its time`() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            var device = try await server.device(of: "ann")
            let first = try await id("Hi", device)
            clock.advance(by: 80_000)
            #expect(try await id("Hi", device) == first)
            #expect(try await id("Ho", device) != first)
            clock.advance(by: 80_000)
            device = try await server.device(of: "ann")
            #expect(try await download(first, device).status == 200)
        }
    }

    @Test func `an unreferenced blob is deleted after 24 hours exactly`() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            var device = try await server.device(of: "ann")
            let id = try await id("Hi", device)
            clock.advance(by: 86_399)
            device = try await server.device(of: "ann")
            #expect(try await download(id, device).status == 200)
            clock.advance(by: 1)
            #expect(try await download(id, device).status == 404)
            // Its row is deleted too.
            let storage = try await server.storage()
            #expect(
                try await eventually {
                    clock.advance(by: 3_600)
                    return try await storage.readTables { try $0.value("SELECT count(*) FROM blob") } == 0
                }
            )
        }
    }

    @Test func `an upload over 10 MB is rejected with maxSizeUpload`() async throws {
        try await withServer { server in
            let device = try await server.device(of: "ann")
            let large = [UInt8](repeating: 1, count: 10_000_001)
            let answer = try await upload(large, device)
            #expect(answer.status == 413)
            #expect(answer.header("Content-Type") == "application/problem+json")
            #expect(answer.json.type == "urn:ietf:params:jmap:error:limit")
            #expect(answer.json["limit"] == "maxSizeUpload")
            #expect(answer.json["status"] == 413)
            #expect(try await upload(Array(large.dropLast()), device).status == 201)
        }
    }

    /// RFC 8620 §6: "the server MUST delete unreferenced blobs in date order, oldest first, until there is room".
    @Test func `past a person's quota, that person's oldest blobs are deleted`() async throws {
        try await withFolder { folder in
            let storage = try await TestDatabase.storage(for: folder.appending(path: "inbox.sqlite"))
            let clock = ManualClock()
            let writer = try await Writer(storage: storage, clock: clock, random: .system, committed: { _ in })
            let people = People(storage: storage, writer: writer, states: LatestStates(broadcast: 0))
            func person(_ name: String) async throws -> Person {
                let token = Tokens.Verified(person: name, issuedAt: nil, expiresAt: .distantFuture)
                return try await people.person(of: token)
            }
            let (ann, bob) = (try await person("ann"), try await person("bob"))
            var ids: [BlobID] = []
            func store(_ size: Int, _ person: Person) async throws {
                let id = BlobID(hash: Data(SHA256.hash(data: Data("\(ids.count)".utf8))))
                try await writer.write { try $0.store(Blob(id: id, content: Data(count: size)), of: person) }
                clock.advance(by: 1)
                ids.append(id)
            }
            func kept(_ person: Person) async throws -> [Int] {
                let (ids, now) = (ids, clock.now)
                return try await storage.read { reading in
                    try ids.indices.filter { try reading.blob(ids[$0], of: person, now: now) != nil }
                }
            }
            try await store(40_000_000, bob)
            for _ in 0..<5 { try await store(20_000_000, ann) }
            #expect(try await kept(ann) == [1, 2, 3, 4, 5])
            try await store(1, ann)
            #expect(try await kept(ann) == [2, 3, 4, 5, 6])
            try await store(30_000_000, ann)
            #expect(try await kept(ann) == [3, 4, 5, 6, 7])
            #expect(try await kept(bob) == [0])
            // A server keeps at most its configured number of files.
            var limits = FairUse()
            limits.files = 2
            let other = try await Writer(storage: storage, clock: clock, random: .system, limits: limits) { _ in }
            let id = BlobID(hash: Data(SHA256.hash(data: Data("the last".utf8))))
            try await other.write { try $0.store(Blob(id: id, content: Data(count: 1)), of: ann) }
            #expect(try await kept(ann) == [7], "and the last one")
        }
    }
}
