import Foundation
import Groundwork
import Testing

@testable import InboxServer
@testable import InboxService

/// The sort orders of `InboxMessage/query`.
@Suite(.timeLimit(.minutes(10))) struct SortTests {
    /// The sorted messages, as indexes of the given ids.
    private func order(_ sort: JSON, _ ids: [String], _ device: Device) async throws -> [Int] {
        let answer = try await device.call("query", ["sort": sort])
        guard let found = answer["ids"]?.strings else { throw UnexpectedResponse(answer: answer.description) }
        return found.compactMap { ids.firstIndex(of: $0) }
    }

    private func send(_ messages: [JSON], _ server: TestServer) async throws -> [String] {
        var ids: [String] = []
        for (index, message) in messages.enumerated() {
            ids.append(try await server.send(to: index % 2 == 0 ? ["person": "ann"] : ["everyone": true], message))
        }
        return ids
    }

    @Test func `equal values are sorted by the next property, then by id`() async throws {
        try await withServer { server in
            let ids = try await send(
                [
                    ["title": "b", "priority": 1], ["title": "a", "priority": 2], ["title": "a", "priority": 1],
                    ["title": "b"], ["title": "a", "priority": 1],
                ],
                server
            )
            let device = try await server.device(of: "ann")
            let up: JSON = ["property": "priority"]
            let down: JSON = ["property": "priority", "isAscending": false]
            #expect(try await order([up], ids, device) == [3, 0, 2, 4, 1])
            #expect(try await order([down], ids, device) == [1, 4, 2, 0, 3])
            #expect(try await order([["property": "title"], down], ids, device) == [1, 4, 2, 0, 3])
            #expect(
                try await order([["property": "title", "isAscending": false], up], ids, device) == [3, 0, 2, 4, 1]
            )
            // All have the same deliverAt, so it decides nothing here.
            #expect(try await order([["property": "deliverAt"], down], ids, device) == [1, 4, 2, 0, 3])
            #expect(try await order([["property": "id"]], ids, device) == [0, 1, 2, 3, 4])
            #expect(try await order([["property": "id", "isAscending": false]], ids, device) == [4, 3, 2, 1, 0])
            let window: JSON = ["sort": [up], "position": 1, "limit": 2, "filter": condition("title", "equal", "a")]
            #expect(try await device.ids(window) == [ids[4], ids[1]])
            #expect(try await device.call("query", window)["canCalculateChanges"] == false)
            #expect(try await device.ids(["sort": [up], "position": -2]) == [ids[4], ids[1]])
        }
    }

    @Test func `null sorts first, also where the person hasn't acted`() async throws {
        try await withServer { server in
            let ids = try await send(
                [["title": "x"], ["title": "x"], ["title": "x", "expiresAt": "2026-05-02T00:00:00Z"], ["title": "x"]],
                server
            )
            let device = try await server.device(of: "ann")
            try await device.update(ids[0], ["readAt": "2026-05-01T09:00:00Z"])
            try await device.update(ids[1], ["readAt": "2026-05-01T08:30:00Z"])
            #expect(try await order([["property": "readAt"]], ids, device) == [2, 3, 1, 0])
            #expect(try await order([["property": "readAt", "isAscending": false]], ids, device) == [0, 1, 3, 2])
            #expect(try await order([["property": "expiresAt"]], ids, device) == [0, 2, 1, 3])
        }
    }

    @Test func `text is sorted by the requested collation`() async throws {
        try await withServer { server in
            let titles = ["b", "A", "a", "Ä", "a\u{308}", "Z", "é", "É", "_", "ß"]
            let ids = try await send(titles.map { ["title": .string($0)] }, server)
            let device = try await server.device(of: "ann")
            func sorted(_ collation: JSON) async throws -> [Int] {
                try await order([["property": "title", "collation": collation]], ids, device)
            }
            // By code points: A 41, Z 5A, _ 5F, a 61, b 62, Ä C4, É C9, ß DF, ä E4 (in normal form C), é E9.
            #expect(try await sorted("i;octet") == [1, 5, 8, 2, 0, 3, 7, 9, 4, 6])
            // In upper case for ASCII only: A, A, B, Z, _.
            #expect(try await sorted("i;ascii-casemap") == [1, 2, 0, 5, 8, 3, 7, 9, 4, 6])
            // In upper case and decomposed: A, A, A 308 twice, B, E 301 twice, Z, _, ß.
            #expect(try await sorted("i;unicode-casemap") == [1, 2, 3, 4, 0, 6, 7, 5, 8, 9])
            #expect(try await sorted(.null) == [1, 2, 3, 4, 0, 6, 7, 5, 8, 9])
        }
    }

    @Test func `an unsupported or malformed sort is rejected`() async throws {
        let cases: [(String, String)] = [
            (#"[{"property":"color"}]"#, "unsupportedSort"), (#"[{"property":"actions"}]"#, "unsupportedSort"),
            (#"[{"property":"deliverAt"},{"property":"title","collation":"i;uca"}]"#, "unsupportedSort"),
            (#"[{"property":"title","collation":""}]"#, "unsupportedSort"),
            (#""deliverAt""#, "invalidArguments"), (#"[{"isAscending":true}]"#, "invalidArguments"),
            (#"[{"property":"title","isAscending":1}]"#, "invalidArguments"),
            (#"[{"property":"title","keyword":"x"}]"#, "invalidArguments"),
        ]
        try await withServer { server in
            let device = try await server.device(of: "ann")
            for (sort, type) in cases {
                #expect(
                    try await device.call("query", ["sort": try JSON(parsing: Array(sort.utf8))]).type == type,
                    "\(sort)"
                )
            }
        }
    }

    @Test func `a sort by more than eight properties is rejected`() async throws {
        try await withServer { server in
            let id = try await server.send(to: ["person": "ann"])
            let device = try await server.device(of: "ann")
            let comparator: JSON = ["property": "title"]
            #expect(try await device.ids(["sort": .array(Array(repeating: comparator, count: 8))]) == [id])
            let tooMany = JSON.array(Array(repeating: comparator, count: 9))
            #expect(try await device.call("query", ["sort": tooMany]).type == "unsupportedSort")
        }
    }

    /// A collation doesn't apply to dates (RFC 8620 §5.5).
    @Test func `a collation is ignored for a property that isn't text`() async throws {
        try await withServer { server in
            let id = try await server.send(to: ["person": "ann"])
            let device = try await server.device(of: "ann")
            #expect(try await device.ids(["sort": [["property": "deliverAt", "collation": "none"]]]) == [id])
        }
    }

    /// Title case and decomposition as in RFC 5051 §2: characters without a mapping stay.
    @Test func `unicode-casemap maps to title case and decomposes`() {
        #expect(Collation.unicodeCasemapped("aZ1_") == "AZ1_")
        #expect(Collation.unicodeCasemapped("é").unicodeScalars.map(\.value) == [0x45, 0x301])
        // A title-case letter of its own, then a compatibility decomposition.
        #expect(Collation.unicodeCasemapped("ǆ").unicodeScalars.map(\.value) == [0x44, 0x7A, 0x30C])
        #expect(Collation.unicodeCasemapped("ß").unicodeScalars.map(\.value) == [0xDF])
        #expect(Collation.unicodeCasemapped("ﬁ") == "fi")
    }
}
