import Corpora
import Eventually
import Foundation
import Groundwork
import Testing

@testable import InboxServer

/// Imports of Adobe's propositions, and of the whole answers of its edge.
@Suite(.timeLimit(.minutes(10))) struct AdobeImportTests {
    /// 2026-05-01T08:00:00Z, the clock's start, in seconds.
    private static let now = 1_777_622_400

    private static let surface = "mobileapp://com.example.app/inbox"

    private func proposition(_ items: JSON..., rank: Int = 1) -> JSON {
        [
            "id": "p", "scope": .string(Self.surface),
            "scopeDetails": ["activity": ["id": "a1", "priority": 3], "rank": JSON(rank)], "items": .array(items),
        ]
    }

    private func card(_ id: String, _ more: [(String, JSON)] = []) -> JSON {
        [
            "id": .string(id), "schema": "https://ns.adobe.com/personalization/message/content-card",
            "data": .object(
                JSONObject(
                    [
                        ("contentType", "application/json"), ("meta", ["adobe": ["template": "SmallImage"]]),
                        ("content", ["title": ["content": .string(id)]]),
                    ] + more
                )
            ),
        ]
    }

    private func settings(_ heading: String) -> JSON {
        [
            "id": "s", "schema": "https://ns.adobe.com/personalization/message/inbox",
            "data": [
                "content": [
                    "layout": ["orientation": "horizontal"], "capacity": 5,
                    "heading": ["content": .string(heading)],
                ]
            ],
        ]
    }

    private func post(_ propositions: JSON..., headers: [String: String] = [:], on server: TestServer) async throws
        -> JSON
    {
        let body: JSON = ["person": "ann", "propositions": .array(propositions)]
        let answer = try await server.rest("POST", "/v1/import/adobe", body, headers: headers)
        guard answer.status == 200 else {
            throw UnexpectedResponse(answer: String(decoding: answer.bytes, as: UTF8.self))
        }
        return answer.json
    }

    @Test func `Adobe cards are imported by rank on their surface`() async throws {
        try await withServer { server in
            let expiry: JSON = JSON(Self.now + 60)
            let answer = try await post(
                proposition(card("second", [("publishedDate", JSON(Self.now - 5))]), rank: 2),
                proposition(
                    card("first", [("publishedDate", JSON(Self.now - 90)), ("expiryDate", expiry)]),
                    card("past", [("expiryDate", JSON(Self.now))]),
                    rank: 1
                ),
                on: server
            )
            #expect(statuses(answer) == ["imported", "imported", "expired"])
            let results = answer["results"]?.arrayValue ?? []
            #expect(results.map { $0["index"] } == [0, 1, 1] && results.map { $0["item"] } == [0, 0, 1])
            let device = try await server.device(of: "ann")
            let ids = try await device.ids()
            let messages = try await device.call("get", ["ids": JSON(ids)])["list"]?.arrayValue ?? []
            #expect(messages.map { $0["title"] } == ["first", "second"])
            #expect(messages.map { $0["surface"]?.stringValue } == [Self.surface, Self.surface])
            #expect(messages.last?["deliverAt"] == "2026-05-01T07:59:55Z")
            #expect(messages.first?["expiresAt"] == "2026-05-01T08:01:00Z")
            #expect(messages.first?["additionalData"]?["activityId"] == "a1" && messages.first?["priority"] == 3)
            #expect(try await statuses(post(proposition(card("first")), on: server)) == ["known"])
        }
    }

    @Test func `Adobe settings create a surface and don't overwrite an existing one`() async throws {
        try await withServer { server in
            let first = try await post(proposition(settings("News"), card("a")), on: server)
            let result: JSON = ["index": 0, "item": 0, "status": "imported", "surface": .string(Self.surface)]
            #expect(first["results"]?.arrayValue?.first == result && first["imported"] == 2)
            let path = "/v1/surfaces/mobileapp%3A%2F%2Fcom.example.app%2Finbox"
            let stored = try await server.rest("GET", path).json
            #expect(stored["title"] == "News" && stored["layout"] == "horizontal" && stored["capacity"] == 5)
            #expect(stored["unreadIndicator"]?["isShown"] == false)
            #expect(try await server.rest("PUT", path, ["title": "Ours"]).status == 200)
            #expect(try await statuses(post(proposition(settings("Other")), on: server)) == ["known"])
            #expect(try await server.rest("GET", path).json["title"] == "Ours")
        }
    }

    @Test func `Adobe settings need the surfaces scope, cards are imported without it`() async throws {
        try await withServer { server in
            let made = try await server.rest("POST", "/v1/keys", ["name": "x", "scopes": ["messages"]])
            let headers = ["Authorization": "Bearer \(try #require(made.json["key"]?.stringValue))"]
            let answer = try await post(proposition(settings("News"), card("a")), headers: headers, on: server)
            #expect(statuses(answer) == ["refused", "imported"])
            #expect(answer["results"]?.arrayValue?.first?["pointer"] == "/propositions/0/scope")
            #expect(try await server.rest("GET", "/v1/surfaces").json["surfaces"] == [])
            _ = try await post(proposition(settings("News")), on: server)
            #expect(try await statuses(post(proposition(settings("x")), headers: headers, on: server)) == ["known"])
        }
    }

    /// A ruleset item whose cards are shown while a condition holds.
    private func ruleset(_ condition: JSON, _ cards: JSON...) -> JSON {
        let consequences = cards.map { card -> JSON in ["id": card["id"] ?? "", "type": "schema", "detail": card] }
        return [
            "id": "r", "schema": "https://ns.adobe.com/personalization/ruleset-item",
            "data": ["version": 1, "rules": [["condition": condition, "consequences": .array(consequences)]]],
        ]
    }

    private func matcher(_ matcher: String, _ value: JSON, key: String = "~timestampu") -> JSON {
        [
            "type": "matcher",
            "definition": ["key": .string(key), "matcher": .string(matcher), "values": [value]],
        ]
    }

    @Test func `a whole answer of Adobe's edge is imported, with cards that are due later`() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            let (soon, late) = (JSON(Self.now + 60), JSON(Self.now + 120))
            let condition: JSON = [
                "type": "group",
                "definition": ["logic": "and", "conditions": [matcher("ge", soon), matcher("lt", late)]],
            ]
            let answer: JSON = [
                "requestId": "x",
                "handle": [
                    ["type": "state:store", "payload": [["key": "kndctr", "value": "x"]]],
                    [
                        "type": "personalization:decisions", "eventIndex": 0,
                        "payload": [
                            proposition(ruleset(matcher("lt", late), card("now"), card("too"))),
                            proposition(ruleset(condition, card("later"))),
                        ],
                    ],
                ],
            ]
            let body: JSON = ["person": "ann", "answer": answer]
            let report = try await server.rest("POST", "/v1/import/adobe", body).json
            #expect(statuses(report) == ["imported", "imported", "imported"])
            let results = report["results"]?.arrayValue ?? []
            #expect(results.map { $0["externalId"] } == ["now", "too", "later"])
            #expect(results.map { $0["consequence"] } == [0, 1, 0] && results.map { $0["rule"] } == [0, 0, 0])
            #expect(results.map { $0["index"] } == [0, 0, 1] && results.map { $0["item"] } == [0, 0, 0])
            let device = try await server.device(of: "ann")
            #expect(try await device.ids().count == 2)
            #expect(
                try await statuses(server.rest("POST", "/v1/import/adobe", body).json) == ["known", "known", "known"]
            )

            clock.advance(by: 60)
            #expect(try await eventually { try await device.ids().count == 3 })
            let newest = try #require(try await device.ids().first)
            let message = try await device.call("get", ["ids": [.string(newest)]])["list"]?.arrayValue?.first
            #expect(message?["title"] == "later" && message?["deliverAt"] == "2026-05-01T08:01:00Z")
            #expect(message?["expiresAt"] == "2026-05-01T08:02:00Z")
            clock.advance(by: 60)
            #expect(try await eventually { try await device.ids().isEmpty })
        }
    }

    @Test func `a card whose condition can't be decided is refused unless asked for`() async throws {
        try await withServer { server in
            let propositions: JSON = [proposition(ruleset(matcher("eq", "x", key: "~type"), card("c")), card("d"))]
            let refused = try await server.rest(
                "POST",
                "/v1/import/adobe",
                ["person": "ann", "propositions": propositions]
            ).json
            #expect(statuses(refused) == ["refused", "imported"])
            let condition = "/propositions/0/items/0/data/rules/0/condition"
            #expect(refused["results"]?.arrayValue?.first?["pointer"]?.stringValue == condition)
            let imported = try await server.rest(
                "POST",
                "/v1/import/adobe",
                ["person": "ann", "propositions": propositions, "importsUndecided": true]
            ).json
            #expect(statuses(imported) == ["imported", "known"])
            #expect(imported["results"]?.arrayValue?.first?["undecided"]?.stringValue == condition)
            #expect(imported["results"]?.arrayValue?.last?["undecided"] == nil)
        }
    }

    @Test func `a repeated Adobe card is known, also where it couldn't be imported as it is`() async throws {
        try await withServer { server in
            let always = matcher("ge", JSON(Self.now))
            let first = try await post(proposition(card("a"), ruleset(always, card("b"))), on: server)
            #expect(statuses(first) == ["imported", "imported"])
            let hexadecimal = matcher("ge", "0x10")
            let again = try await post(
                proposition(
                    ["id": "a"],
                    card("a", [("expiryDate", "soon")]),
                    ruleset(hexadecimal, card("b")),
                    ruleset(hexadecimal, card("c"))
                ),
                on: server
            )
            #expect(statuses(again) == ["known", "known", "known", "refused"])
        }
    }

    /// Two real answers of Adobe's edge (``Corpora``).
    @Test(.enabled(if: Corpora.folder("adobe") != nil))
    func `real answers of Adobe's edge are imported`() async throws {
        let folder = try #require(Corpora.folder("adobe"))
        try await withServer { server in
            for (name, titles) in [
                ("SmallImageCard.json", ["This is small image title"]),
                ("MultipleCards.json", ["Card one title"]),
            ] {
                let answer = try JSON(parsing: Array(try Data(contentsOf: folder.appending(path: name))))
                let body: JSON = ["person": .string(name), "answer": answer]
                let report = try await server.rest("POST", "/v1/import/adobe", body).json
                #expect(Set(statuses(report)) == ["imported"], "\(name): \(report)")
                let device = try await server.device(of: name)
                let messages =
                    try await device.call("get", ["ids": JSON(try await device.ids())])["list"]?.arrayValue ?? []
                #expect(messages.count == report["imported"]?.intValue)
                #expect(Set(titles).isSubset(of: messages.compactMap { $0["title"]?.stringValue }), "\(messages)")
                // 2019715200: the rule's condition and the card's own expiry.
                #expect(messages.allSatisfy { $0["expiresAt"] == "2034-01-01T08:00:00Z" }, "\(messages)")
            }
        }
    }

    @Test func `each invalid Adobe item is rejected with its pointer`() async throws {
        try await withServer { server in
            for number in 0..<100 { _ = try await server.rest("PUT", "/v1/surfaces/s\(number)", [:]) }
            let answer = try await post(
                7,
                ["id": "p", "scope": "s", "scopeDetails": [:]],
                proposition(card("a"), ["id": "b"], card("c", [("expiryDate", "soon")]), settings("News")),
                on: server
            )
            #expect(
                (answer["results"]?.arrayValue ?? []).map { $0["pointer"]?.stringValue } == [
                    "/propositions/0", "/propositions/1/scopeDetails", nil, "/propositions/2/items/1/schema",
                    "/propositions/2/items/2/data/expiryDate", "/propositions/2/scope",
                ]
            )
            #expect(answer["imported"] == 1 && answer["refused"] == 5)
        }
    }
}
