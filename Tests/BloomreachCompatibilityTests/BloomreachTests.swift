import Coverage
import BloomreachCompatibility
import Eventually
import Foundation
import Groundwork
import InboxClient
import InboxModel
import RunningServer
import Testing

/// Each call of Bloomreach's document apart from the screens, against a server.
@MainActor @Suite(.timeLimit(.minutes(10))) struct BloomreachTests {
    private func client(_ server: RunningServer, _ person: String? = "alice", consent: TrackingConsent = .notDetermined)
        -> Exponea
    {
        let client = Exponea()
        client.configure(for: server, consent: consent)
        if let person { client.identifyCustomer(customerIds: ["registered": person], properties: ["age": 7]) }
        return client
    }

    private func fetch(_ client: Exponea) async throws -> [MessageItem] {
        try await withCheckedContinuation { done in client.fetchAppInbox { done.resume(returning: $0) } }.get()
    }

    private func code(_ body: () async throws -> Void) async -> InboxError.Code? {
        await #expect(throws: InboxError.self) { try await body() }?.code
    }

    // MARK: - Messages

    @Test(.shows(.b01, .b26)) func `an item has the properties that were sent`() async throws {
        try await RunningServer.run { server in
            let actions: JSON = [
                ["text": "Web", "link": "https://example.com"], ["text": "Deep", "link": "myapp://x"],
                ["text": "App"],
            ]
            let push = try await server.send(
                to: "alice",
                ["title": "Title", "body": "Text", "media": ["url": "https://example.com/a.png"], "actions": actions]
            )
            let html = try await server.send(to: "alice", ["title": "T", "html": "<p>Hi</p>"])
            let items = try await fetch(client(server))
            #expect(items.map(\.id) == [html, push] && items.map(\.type) == ["html", "push"])
            #expect(items.first?.content?.html == "<p>Hi</p>")
            let content = try #require(items.last?.content)
            #expect(content.title == "Title" && content.message == "Text")
            #expect(content.imageUrl == "https://example.com/a.png" && items.last?.read == false)
            #expect(content.actions?.map(\.type) == [.browser, .deeplink, .app])
            #expect(content.actions?.map(\.url) == ["https://example.com", "myapp://x", nil])
            #expect(abs((items.last?.receivedTime ?? 0) - Date().timeIntervalSince1970) < 60)
            let copy = try JSONDecoder().decode(MessageItem.self, from: JSONEncoder().encode(items[1]))
            #expect(copy == items[1])
        }
    }

    @Test(.shows(.b32)) func `one item is returned as a result or as an optional`() async throws {
        try await RunningServer.run { server in
            let id = try await server.send(to: "alice", ["title": "T"])
            let client = client(server)
            let found = await withCheckedContinuation { done in
                client.fetchAppInboxItem(id) { (result: BloomreachCompatibility.Result<MessageItem>) in
                    done.resume(returning: result)
                }
            }
            #expect(try found.get().id == id)
            let optional = await withCheckedContinuation { done in
                client.fetchAppInboxItem("nothing") { data in
                    guard let data = data else { return done.resume(returning: "none") }
                    done.resume(returning: data.id)
                }
            }
            #expect(optional == "none")
            let missing = await withCheckedContinuation { done in
                client.fetchAppInboxItem("nothing") { result in
                    switch result {
                    case .success: done.resume(returning: nil as ExponeaError?)
                    case .failure(let error): done.resume(returning: error as? ExponeaError)
                    }
                }
            }
            #expect(missing == .messageNotFound)
        }
    }

    @Test(.shows(.b35, .b36)) func `a message is marked read by id or by item, without tracking`() async throws {
        try await RunningServer.run { server in
            let (first, second) = (
                try await server.send(to: "alice", ["title": "1"]), try await server.send(to: "alice", ["title": "2"])
            )
            let client = client(server)
            let items = try await fetch(client)
            let byID = await withCheckedContinuation { done in
                client.markAppInboxAsRead(first) { done.resume(returning: $0) }
            }
            let byItem = await withCheckedContinuation { done in
                client.markAppInboxAsRead(items[0]) { done.resume(returning: $0) }
            }
            let again = await withCheckedContinuation { done in
                client.markAppInboxAsRead(second) { done.resume(returning: $0) }
            }
            let unknown = await withCheckedContinuation { done in
                client.markAppInboxAsRead("unknown") { done.resume(returning: $0) }
            }
            #expect(byID && byItem && again && !unknown)
            #expect(try await fetch(client).allSatisfy(\.read))
            let analytics = try await server.rest("GET", "v1/messages/\(first)/figures")
            #expect(analytics["clicked"]?.intValue == 0)
        }
    }

    // MARK: - Identification

    @Test(.shows(.b03)) func `not configured and not identified are typed errors`() async throws {
        let bare = Exponea()
        await #expect(throws: ExponeaError.notConfigured) { try await fetch(bare) }
        try await RunningServer.run { server in
            let client = client(server, nil)
            #expect(await code { _ = try await fetch(client) } == .notIdentified)
            client.identifyCustomer(customerIds: ["cookie": "c"])
            #expect(await code { _ = try await fetch(client) } == .notIdentified)
        }
    }

    @Test(.shows(.b27)) func `identifying during a fetch never shows the other person's messages`() async throws {
        try await RunningServer.run { server in
            _ = try await server.send(to: "alice", ["title": "A"])
            let bobs = try await server.send(to: "bob", ["title": "B"])
            let client = client(server)
            let fetching = Task { try await fetch(client) }
            await Task.yield()
            client.identifyCustomer(customerIds: ["registered": "bob"])
            if let shown = try? await fetching.value { #expect(shown.map(\.id) == [bobs]) }
            #expect(try await fetch(client).map(\.id) == [bobs])
            client.anonymize()
            #expect(await code { _ = try await fetch(client) } == .notIdentified)
        }
    }

    @Test func `stopping the integration empties the inbox until it is configured again`() async throws {
        try await RunningServer.run { server in
            let id = try await server.send(to: "alice", ["title": "A"])
            let device = ImportedDevice(server)
            let detail = try await device.shownDetail(id).0
            let fetching = Task { try await device.fetch() }
            await Task.yield()
            device.client.stopIntegration()
            await #expect(throws: (any Error).self) { try await fetching.value }
            await #expect(throws: ExponeaError.notConfigured) { try await device.fetch() }
            #expect(detail.detail == nil && device.client.getAppInboxButton() == nil)
            device.client.identifyCustomer(customerIds: ["registered": "alice"])
            await #expect(throws: ExponeaError.notConfigured) { try await device.fetch() }
            // The customer has to be identified again.
            device.configure()
            #expect(await code { _ = try await device.fetch() } == .notIdentified)
            device.client.identifyCustomer(customerIds: ["registered": "alice"])
            #expect(try await device.fetch().map(\.id) == [id])
            // Without an integration, there is nothing to stop.
            Exponea().stopIntegration()
        }
    }

    @Test func `the identified customer is kept across starts, with all messages`() async throws {
        try await RunningServer.run { server in
            for number in 0..<60 { _ = try await server.send(to: "alice", ["title": .string("\(number)")]) }
            #expect(try await fetch(client(server)).count == 60)
            #expect(try await fetch(client(server, nil)).count == 60)
        }
    }

    // MARK: - Tracking

    /// The numbers of opens and clicks on the server. A fetch sends every tracked event first.
    private func analytics(_ server: RunningServer, _ client: Exponea, _ id: String) async throws -> (Int?, Int?) {
        // Tracking calls have no result to wait for; they run in order on the main actor, before this one.
        for _ in 0..<200 { await Task.yield() }
        _ = try await fetch(client)
        let analytics = try await server.rest("GET", "v1/messages/\(id)/figures")
        return (analytics["seen"]?.intValue, analytics["clicked"]?.intValue)
    }

    @Test(.shows(.b18, .b39, .b40, .b42, .b43))
    func `without consent, only calls that ignore consent are tracked`() async throws {
        try await RunningServer.run { server in
            let actions: JSON = [["id": "go", "text": "Go", "link": "https://example.com"]]
            let message: JSON = ["title": "T", "consentCategory": "ads", "actions": actions]
            // One message for each call, so that none can be counted as another.
            var ids: [String] = []
            for _ in 0..<4 { ids.append(try await server.send(to: "alice", message)) }
            let client = client(server)
            let items = Dictionary(uniqueKeysWithValues: try await fetch(client).map { ($0.id, $0) })
            #expect(items.values.allSatisfy { !$0.hasTrackingConsent } && items.count == 4)
            let action = try #require(items[ids[0]]?.content?.actions?.first)
            let messages = try ids.map { try #require(items[$0]) }
            client.trackAppInboxOpened(message: messages[0])
            client.trackAppInboxClick(action: action, message: messages[1])
            client.trackAppInboxOpenedWithoutTrackingConsent(message: messages[2])
            client.trackAppInboxClickWithoutTrackingConsent(action: action, message: messages[3])
            await client.lastTracking.withLock { $0 }?.value
            #expect(try await analytics(server, client, ids[0]) == (0, 0), "an opening needs consent")
            #expect(try await analytics(server, client, ids[1]).1 == 0, "a click needs consent")
            #expect(try await analytics(server, client, ids[2]) == (1, 0), "an opening regardless of consent")
            #expect(try await analytics(server, client, ids[3]).1 == 1, "a click regardless of consent")
            let byAction = try await server.rest("GET", "v1/messages/\(ids[3])/figures")["clicksByAction"]
            #expect(byAction?["go"]?.intValue == 1)
            let events = try await server.rest("GET", "v1/people/alice/export")["events"]?.arrayValue ?? []
            let tracked = ids.map { id in
                events.filter { $0["message"]?.stringValue == id }.map { $0["type"]?.stringValue }
            }
            #expect(tracked == [[], [], ["opened"], ["clicked"]])
        }
    }

    @Test(.shows(.b18, .b38, .b41)) func `with consent, opens and clicks are tracked`() async throws {
        try await RunningServer.run { server in
            let id = try await server.send(to: "alice", ["title": "T", "consentCategory": "ads"])
            let client = client(server, consent: .given)
            let items = try await fetch(client)
            #expect(items.map(\.hasTrackingConsent) == [true])
            client.trackAppInboxOpened(message: items[0])
            #expect(try await eventually { try await analytics(server, client, id) == (1, 0) })
            #expect(try await fetch(client).first?.read == false)
            let made = MessageItemAction(action: "browser", title: "Go", url: "https://example.com")
            client.trackAppInboxClick(action: made, message: items[0])
            #expect(try await eventually { try await analytics(server, client, id) == (1, 1) })
            #expect(try await fetch(client).first?.read == true)
        }
    }

    @Test func `a click on an action with a long name, or with none, isn't lost`() async throws {
        try await RunningServer.run { server in
            let long = "https://example.com/?q=" + String(repeating: "é", count: 2_500)
            let known = "https://example.com/" + String(repeating: "k", count: 300)
            var ids: [String] = []
            for _ in 0..<4 {
                let action: JSON = ["id": "go", "text": "Go", "link": .string(known)]
                ids.append(try await server.send(to: "alice", ["title": "T", "actions": [action]]))
            }
            let client = client(server, consent: .given)
            let items = Dictionary(uniqueKeysWithValues: try await fetch(client).map { ($0.id, $0) })
            func click(_ index: Int, _ url: String) throws {
                let action = MessageItemAction(action: "browser", title: "Go", url: url)
                client.trackAppInboxClick(action: action, message: try #require(items[ids[index]]))
            }
            try click(0, long)
            try click(1, known)
            try click(2, "")
            // A family emoji is one character of 25 bytes, and isn't cut in two.
            try click(3, String(repeating: "👨‍👩‍👧‍👦", count: 20))
            await client.lastTracking.withLock { $0 }?.value
            _ = try await fetch(client)
            let events = try await server.rest("GET", "v1/people/alice/export")["events"]?.arrayValue ?? []
            let actions = ids.map { id in
                events.first { $0["message"]?.stringValue == id }?["action"]?.stringValue
            }
            let (first, family) = (String(long.unicodeScalars.prefix(139)), String(repeating: "👨‍👩‍👧‍👦", count: 10))
            #expect(actions == [first, "go", "Go", family])
        }
    }

    @Test func `tracking calls are sent in order`() async throws {
        try await RunningServer.run { server in
            let id = try await server.send(to: "alice", ["title": "T"])
            let client = client(server)
            let items = try await fetch(client)
            let names = (10..<30).map { "action-\($0)" }
            for name in names {
                client.trackAppInboxClick(
                    action: MessageItemAction(action: "browser", title: name, url: name),
                    message: items[0]
                )
            }
            await client.lastTracking.withLock { $0 }?.value
            _ = try await fetch(client)
            let export = try await server.rest("GET", "v1/people/alice/export")
            let events = export["events"]?.arrayValue ?? []
            let times = Dictionary(
                events.compactMap { event in
                    event["action"]?.stringValue.map {
                        ($0, event["at"]?.stringValue.flatMap { RFC3339.date(from: $0) })
                    }
                },
                uniquingKeysWith: { first, _ in first }
            )
            let inOrder = names.compactMap { times[$0] ?? nil }
            #expect(inOrder.count == names.count && inOrder == inOrder.sorted() && !id.isEmpty)
        }
    }

    /// The events of a message as a webhook would receive them, newest last.
    @Test(arguments: [["campaign_id": "c1"], ["campaign_id": String(repeating: "c", count: 2_500)]])
    func `events have Bloomreach's data as far as it fits`(attributes: [String: String]) async throws {
        try await RunningServer.run { server in
            let json = JSON.object(JSONObject(attributes.map { ($0.key, .string($0.value)) }))
            let more = JSON.object(JSONObject([("utm_source", .string(String(attributes["campaign_id"]?.count ?? 0)))]))
            let id = try await server.send(
                to: "alice",
                [
                    "title": "T",
                    "additionalData": [
                        "attributes": .string("\(json)"), "url_params": .string("\(more)"),
                        "type": .string("push"),
                    ],
                    "actions": [
                        [
                            "id": "go", "text": "Go",
                            "link": .string("https://example.com/" + String(repeating: "l", count: 2_000)),
                        ]
                    ],
                ]
            )
            let client = client(server)
            let items = try await fetch(client)
            client.trackAppInboxClick(action: try #require(items[0].content?.actions?.first), message: items[0])
            #expect(try await eventually { try await analytics(server, client, id).1 == 1 })
            let export = try await server.rest("GET", "v1/people/alice/export")
            let event = export["events"]?.arrayValue?.last
            let fits = attributes["campaign_id"] == "c1"
            #expect(event?["data"]?["campaign_id"]?.stringValue == (fits ? "c1" : nil), "\(export)")
            #expect(event?["data"]?["cta"]?.stringValue == (fits ? "Go" : nil))
            #expect(event?["data"]?["action_type"]?.stringValue == (fits ? "app inbox" : nil))
        }
    }

    // MARK: - Log

    @Test func `the logger logs by its level and can be replaced`() {
        final class RecordingLogger: BloomreachCompatibility.Logger, @unchecked Sendable {
            let entries = Locked<[String]>([])
            override func log(_ level: LogLevel, message: String) -> Bool {
                entries.withLock { $0.append("\(level): \(message)") }
                return true
            }
        }
        let logger = BloomreachCompatibility.Logger()
        #expect(!logger.log(.verbose, message: "not logged"))
        logger.logLevel = .none
        #expect(!logger.log(.error, message: "not logged"))
        let (recording, before) = (RecordingLogger(), Exponea.logger)
        defer { Exponea.logger = before }
        Exponea.logger = recording
        Exponea.logger.log(.verbose, message: "logged")
        #expect(recording.entries.withLock { $0 } == ["verbose: logged"])
    }
}
