import Foundation
import InboxClient
import InboxModel
import InboxTesting
import JMAP
import Testing

@Suite(.timeLimit(.minutes(5))) struct ConsentTests {
    let server = ScriptedServer(person: "alice")

    private func message(_ id: String, consentCategory: String? = nil, granted: String? = nil, link: String = "")
        -> Message
    {
        Message(
            id: id,
            title: id,
            actions: [MessageAction(id: "go", text: "Go", value: "go-value", link: link)],
            deliverAt: ManualClock().now,
            consentCategory: consentCategory,
            additionalData: granted.map { [Message.grantedConsentKey: $0] } ?? [:]
        )
    }

    private func phone(_ messages: Message..., consent: TrackingConsent = .notDetermined) async throws -> Device {
        for message in messages { server.deliver(message) }
        let phone = try await Device(server) { $0.trackingConsent = consent }
        try await phone.inbox.sync()
        return phone
    }

    @Test(arguments: [
        (TrackingConsent.off, true), (.notDetermined, false), (.given, true), (.withdrawn, false),
    ])
    func `the consent to a category decides whether events are tracked`(consent: TrackingConsent, isTracked: Bool)
        async throws
    {
        let phone = try await phone(message("m", consentCategory: "offers"))
        try await phone.inbox.setConsent(consent, for: "offers")
        #expect(try await phone.inbox.consent(for: "offers") == consent)
        #expect(try await phone.inbox.track(.opened, "m") == isTracked)
        #expect(try await phone.inbox.click("m", action: "go") == isTracked)
        #expect(try await phone.inbox.status().pendingEvents == (isTracked ? 2 : 0))
        #expect(
            try await phone.inbox.message(id: "m")?.isUnread == false,
            "a click marks the message read, tracked or not"
        )
    }

    @Test(arguments: TrackingConsent.allCases)
    func `a category without a stored consent has the configured one`(consent: TrackingConsent) async throws {
        let phone = try await phone(message("m", consentCategory: "offers"), consent: consent)
        #expect(try await phone.inbox.consent(for: "offers") == consent)
        #expect(try await phone.inbox.track(.opened, "m") == consent.allowsTracking)
    }

    @Test func `the stored values of a consent are those of earlier versions`() {
        #expect(TrackingConsent.allCases.map(\.rawValue) == ["off", "considered", "given", "withdrawn"])
    }

    @Test func `each category has its own consent, and a message without one needs none`() async throws {
        let phone = try await phone(
            message("offer", consentCategory: "offers"),
            message("survey", consentCategory: "surveys"),
            message("parcel")
        )
        try await phone.inbox.setConsent(.given, for: "offers")
        #expect(try await phone.inbox.track(.opened, ["offer", "survey", "parcel"]) == ["offer", "parcel"])
    }

    @Test func `after a withdrawal no event is tracked, and earlier events are sent`() async throws {
        let phone = try await phone(message("m", consentCategory: "offers"))
        try await phone.inbox.setConsent(.given, for: "offers")
        try await phone.inbox.track(.displayed, "m")
        try await phone.inbox.setConsent(.withdrawn, for: "offers")
        #expect(try await phone.inbox.track(.opened, "m") == false)
        try await phone.inbox.sync()
        #expect(server.events.map(\.type) == [.displayed])
    }

    @Test func `consent granted to the sender suffices until it is withdrawn on the device`() async throws {
        let phone = try await phone(message("m", granted: "offers"))
        #expect(try await phone.inbox.track(.opened, "m"))
        try await phone.inbox.setConsent(.withdrawn, for: "offers")
        #expect(try await phone.inbox.track(.opened, "m") == false)
    }

    @Test func `a forced event is tracked without consent and marked as forced`() async throws {
        let phone = try await phone(message("m", consentCategory: "offers"))
        #expect(try await phone.inbox.track(.opened, "m", isForced: true))
        #expect(try await phone.inbox.click("m", isForced: true))
        try await phone.inbox.sync()
        #expect(server.events.map(\.data) == Array(repeating: ["tracking_forced": .bool(true)], count: 2))
        #expect(server.events.map(\.consent) == [false, false])
    }

    @Test(arguments: [
        ("https://example.com/?xnpe_force_track", true), ("https://example.com/?xnpe_force_track=true", true),
        ("https://example.com/?a=b&xnpe_force_track=1", true), ("https://example.com/?xnpe_force_track=", true),
        ("https://example.com/?xnpe_force_track=false", false), ("https://example.com/?xnpe_force_track=0", false),
        ("https://example.com/xnpe_force_track", false), ("https://example.com/?xnpe_force_tracking=1", false),
        ("", false),
    ])
    func `a link that forces tracking tracks a click on its own action only`(link: String, isTracked: Bool) async throws
    {
        let phone = try await phone(message("m", consentCategory: "offers", link: link))
        #expect(try await phone.inbox.click("m", action: "go") == isTracked)
        #expect(try await phone.inbox.click("m", action: "go-value") == isTracked)
        #expect(try await phone.inbox.click("m", action: "another") == false)
        #expect(try await phone.inbox.track(.opened, "m") == false, "only a click opens the link")
    }

    /// The stored consent may have been lost, and no configuration replaces it.
    @Test(arguments: TrackingConsent.allCases)
    func `a consent that may be lost must be given again in every configuration`(fallback: TrackingConsent)
        async throws
    {
        let phone = try await phone(message("m", consentCategory: "offers"), consent: fallback)
        try await phone.inbox.setConsent(.withdrawn, for: "offers")
        await phone.inbox.close()
        let files = try FileManager.default.contentsOfDirectory(at: phone.directory, includingPropertiesForKeys: nil)
        let file = try #require(files.first { $0.pathExtension == "sqlite" })
        try Data(repeating: 0xA7, count: try Data(contentsOf: file).count).write(to: file)
        let again = try await Device(server, directory: phone.directory) { $0.trackingConsent = fallback }
        #expect(again.inbox.repair?.isComplete == false)
        #expect(try await again.inbox.consent(for: "offers") == .notDetermined)
        try await again.inbox.sync()
        #expect(try await again.inbox.track(.opened, "m") == false)
        // Writes in the meantime are sent without consent, whatever is configured.
        try await again.inbox.markAllRead()
        try await again.inbox.sync()
        #expect(server.statedConsent == ["m=false"])
        try await again.inbox.setConsent(.given, for: "offers")
        #expect(try await again.inbox.consent(for: "offers") == .given)
        #expect(try await again.inbox.track(.opened, "m"))
    }

    @Test func `a consent is stored, shared by processes and deleted at sign-out`() async throws {
        let phone = try await phone(message("m", consentCategory: "offers"))
        let other = try await Device(server, directory: phone.directory)
        try await phone.inbox.setConsent(.given, for: "offers")
        #expect(try await other.inbox.consent(for: "offers") == .given)
        #expect(try await other.inbox.track(.opened, "m"))
        await other.inbox.close()
        try await phone.inbox.signOut()
        let again = try await Device(server, directory: phone.directory)
        #expect(try await again.inbox.consent(for: "offers") == .notDetermined)
    }

    // MARK: - Writes

    @Test(arguments: TrackingConsent.allCases)
    func `every write states whether consent is given`(consent: TrackingConsent) async throws {
        let ids = (0..<9).map { "m\($0)" }
        let phone = try await phone(message("x"))
        for id in ids { server.deliver(message(id, consentCategory: "offers")) }
        try await phone.inbox.sync()
        try await phone.inbox.setConsent(consent, for: "offers")
        try await phone.inbox.markSeen([ids[0]])
        try await phone.inbox.markRead(ids[1])
        try await phone.inbox.archive(ids[2])
        try await phone.inbox.snooze([ids[3]], until: phone.clock.after(60))
        try await phone.inbox.delete(ids[4])
        try await phone.inbox.click(ids[5])
        try await phone.inbox.dismiss([ids[6]])
        try await phone.inbox.click(ids[7], isForced: true)
        try await phone.inbox.markAllRead(surface: Message.defaultSurface)
        try await phone.inbox.sync()
        #expect(Set(server.statedConsent) == Set(ids.map { "\($0)=\(consent.allowsTracking)" }))
        #expect(server.appliedWrites.contains { $0.hasPrefix("x/readAt") })
        #expect(!server.appliedWrites.contains { $0.contains("consent") })
    }

    @Test func `a write to a message that needs no consent states none`() async throws {
        let phone = try await phone(message("m"))
        try await phone.inbox.markRead("m")
        try await phone.inbox.click("m")
        try await phone.inbox.sync()
        #expect(server.statedConsent == [])
        #expect(server.events.map(\.consent) == [nil])
    }

    @Test func `consent granted to the sender is stated until it is withdrawn on the device`() async throws {
        let phone = try await phone(message("m", granted: "offers"))
        try await phone.inbox.markRead("m")
        try await phone.inbox.click("m")
        try await phone.inbox.sync()
        try await phone.inbox.setConsent(.withdrawn, for: "offers")
        try await phone.inbox.archive("m")
        try await phone.inbox.sync()
        #expect(server.statedConsent == ["m=true", "m=false"])
        #expect(server.events.map(\.consent) == [true])
    }

    @Test func `a write states the consent of its own time, not that of its sending`() async throws {
        let phone = try await phone(message("a", consentCategory: "offers"), message("b", consentCategory: "offers"))
        try await phone.inbox.setConsent(.given, for: "offers")
        try await phone.inbox.markRead("a")
        try await phone.inbox.setConsent(.withdrawn, for: "offers")
        try await phone.inbox.markRead("b")
        try await phone.inbox.sync()
        #expect(Set(server.statedConsent) == ["a=true", "b=false"])
    }

    @Test func `two writes to one message, one without consent, are sent without consent`() async throws {
        let phone = try await phone(message("m", consentCategory: "offers"))
        try await phone.inbox.markRead("m")
        try await phone.inbox.setConsent(.given, for: "offers")
        try await phone.inbox.archive("m")
        #expect(try await phone.inbox.status().pendingWrites == 1)
        try await phone.inbox.sync()
        #expect(server.statedConsent == ["m=false"])
    }

    @Test func `archived and then unarchived leaves nothing to send`() async throws {
        let phone = try await phone(message("m", consentCategory: "offers"))
        try await phone.inbox.archive("m")
        try await phone.inbox.unarchive(["m"])
        #expect(try await phone.inbox.status().pendingWrites == 0)
        try await phone.inbox.sync()
        #expect(server.appliedWrites == [] && server.statedConsent == [])
    }

    @Test func `a lost answer repeats the write with its stated consent`() async throws {
        let phone = try await phone(message("m", consentCategory: "offers"))
        try await phone.inbox.markRead("m")
        phone.loseResponses(1)
        await #expect(throws: InboxError.self) { try await phone.inbox.sync() }
        try await phone.inbox.setConsent(.given, for: "offers")
        try await phone.inbox.archive("m")
        try await phone.inbox.sync()
        #expect(server.statedConsent == ["m=false", "m=true"])
        let sets = phone.transport.requests.compactMap { request in
            request.body.flatMap {
                String(decoding: $0, as: UTF8.self).firstMatch(of: /InboxMessage\/set.*?"consent":(true|false)/)
            }
        }
        #expect(sets.map { String($0.1) } == ["false", "false", "true"])
    }

    @Test func `a refused write is reported without its consent`() async throws {
        let phone = try await phone(message("m", consentCategory: "offers"))
        server.refuse("m", with: .forbidden)
        try await phone.inbox.archive("m")
        var refused = phone.inbox.refusedActions.makeAsyncIterator()
        try await phone.inbox.sync()
        #expect(await refused.next()?.property == "archivedAt")
        #expect(try await phone.inbox.status().pendingWrites == 0)
        await phone.inbox.close()
        #expect(await refused.next() == nil)
    }

    @Test(arguments: TrackingConsent.allCases)
    func `the consent snapshot agrees with the consent of each category`(fallback: TrackingConsent) async throws {
        let phone = try await phone(consent: fallback)
        for consent in TrackingConsent.allCases { try await phone.inbox.setConsent(consent, for: consent.rawValue) }
        let stand = try await phone.inbox.store.read { db in try db.consentState(otherwise: fallback) }
        for category in TrackingConsent.allCases.map(\.rawValue) + ["never set"] {
            let consent = try await phone.inbox.consent(for: category)
            #expect(stand.allows(consentCategory: category, grantedConsentCategory: nil) == consent.allowsTracking)
        }
        #expect(stand.allows(consentCategory: nil, grantedConsentCategory: "withdrawn") == false)
        #expect(stand.allows(consentCategory: nil, grantedConsentCategory: "never set"))
    }
}
