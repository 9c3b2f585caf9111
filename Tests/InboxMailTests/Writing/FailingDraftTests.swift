import Eventually
import Foundation
import Groundwork
import ReplicaTesting
import StandardMailServer
import Testing

@testable import InboxMail

/// A draft whose requests always fail, such as for a filter of a proxy that its text runs into, waits by itself: the
/// others are saved and sent. Once the server takes it, it is finished.
@Suite(.timeLimit(.minutes(5))) struct FailingDraftTests {
    /// The request that fails.
    enum Place: String, CaseIterable {
        case uploadToSave, uploadToSend, save, findSaved, search, send, move, copy, destroy, trash

        func matches(_ request: TransportRequest) -> Bool {
            let text = String(decoding: request.body ?? [], as: UTF8.self)
            let isSending = text.contains("EmailSubmission/set")
            let isCopying = text.contains(#""create":{"mail":{"mailboxIds":{"sent""#)
            return switch self {
            case .uploadToSave, .uploadToSend: request.url.path.hasPrefix("/upload/")
            case .save: text.contains(#""create":{"#) && !isSending && !isCopying
            case .findSaved, .search: text.contains("Message-ID")
            case .send: isSending
            case .move: text.contains(#""keywords/$draft":null"#) && !isSending
            case .copy: isCopying
            case .destroy: text.contains(#""destroy":["#)
            case .trash: text.contains(#""mailboxIds":{"trash""#)
            }
        }

        /// Whether the failing draft is ordered to be sent.
        var isSent: Bool { [.uploadToSend, .search, .send, .move, .copy].contains(self) }
    }

    /// What the requests are answered with: a status, or nil for a connection that ends.
    static let answers: [Int?] = [403, 413, 500, 503, nil]

    private static let isLong = ProcessInfo.processInfo.environment["SWIFT_INBOX_LONG_TESTS"] != nil

    /// All pairs in a long run. Otherwise each place with two answers, which are each answer with four places, and what
    /// is too large in each place that has a size.
    private static let cases: [(Place, Int?)] = {
        var cases: [(Place, Int?)] = []
        for (number, place) in Place.allCases.enumerated() {
            let hasSize = [.uploadToSave, .uploadToSend, .save, .send].contains(place)
            for (index, answer) in answers.enumerated() {
                let isPair = index == number % 5 || index == (number + 2) % 5
                if isLong || isPair || (answer == 413 && hasSize) { cases.append((place, answer)) }
            }
        }
        return cases
    }()

    /// Makes a draft whose next request is the failing one.
    private func begin(_ place: Place, _ server: StandardMailServer, _ device: StandardDevice) async throws -> MailDraft
    {
        var draft = device.mail.draft("Hi")
        func save() async throws {
            draft = try await device.mail.save(draft, waitsForChanges: false)
            for _ in 0..<2 { try await device.settle(1) }
            draft = try #require(try await device.draft(draft.id))
        }
        switch place {
        case .uploadToSave, .uploadToSend:
            draft = try await device.mail.attach(Data("file".utf8), named: "a.txt", to: draft)
        case .save: draft = try await device.mail.save(draft)
        case .findSaved:
            draft = try await device.mail.save(draft, waitsForChanges: false)
            device.transport.answer { request in
                let answer = server.answer(request)
                if Place.save.matches(request) { throw TransportError.unreachable("the answer was lost") }
                return answer
            }
            await #expect(throws: MailError.self) { try await device.settle(1) }
        case .search: try await save()
        case .copy: draft.bcc = [EmailAddress(email: "eve@example.org")]
        case .move, .send: break
        case .destroy:
            try await save()
            draft.text = "Hi again"
            draft = try await device.mail.save(draft)
        case .trash:
            try await save()
            try await device.mail.discard(draft.id)
        }
        if place.isSent { draft = try await device.mail.send(draft) }
        return draft
    }

    @Test(arguments: cases)
    func `a draft whose requests fail doesn't hold up the others`(place: Place, status: Int?) async throws {
        try await StandardDevice.run { server, device in
            let failing = try await begin(place, server, device)
            let firstID = Locked<String?>(nil)
            let isOver = Locked(false)
            if place == .move { server.behave { $0.ignoresSuccessUpdate = true } }
            device.transport.answer { request in
                guard place.matches(request), !isOver.withLock({ $0 }) else { return server.answer(request) }
                let text = String(decoding: request.body ?? [], as: UTF8.self)
                let isItsOwn =
                    switch place {
                    case .uploadToSave, .uploadToSend: true
                    case .save, .findSaved, .search, .send, .copy: text.contains(failing.id)
                    case .move, .destroy, .trash:
                        // The first mail that is moved or removed is its.
                        firstID.withLock { first in
                            let id = text.matches(of: /"(m\d+)"/).first.map { String($0.1) }
                            first = first ?? id
                            return id == first
                        }
                    }
                guard isItsOwn else { return server.answer(request) }
                guard let status else { throw TransportError.unreachable("the connection was closed") }
                return TransportResponse(status: status, url: request.url)
            }
            device.clock.advance(by: 20)
            try await device.mail.send(device.mail.draft("Other"))
            try await device.mail.save(device.mail.draft("Saved"))
            for _ in 0..<6 { _ = try? await device.settle(60) }
            #expect(server.deliveries.contains { $0.text == "Other" })
            #expect(server.mails(in: "drafts").contains { $0["preview"] == "Saved" })
            if place != .trash, !place.isSent || ![.move, .copy].contains(place) {
                #expect(try await device.draft(failing.id)?.text.hasPrefix("Hi") ?? false)
            }
            // What isn't too large is finished once the requests succeed.
            isOver.withLock { $0 = true }
            for _ in 0..<4 { _ = try? await device.settle(3_700) }
            let isTooLarge = status == 413 && [.uploadToSave, .uploadToSend, .save, .send].contains(place)
            let own = server.deliveries.filter { $0.text.hasPrefix("Hi") }.map(\.recipient)
            let bcc = place == .copy ? ["eve@example.org"] : []
            #expect(own.sorted() == (place.isSent && !isTooLarge ? ["bob@example.org"] + bcc : []))
            #expect(server.deliveries.count { $0.text == "Other" } == 1)
            guard !isTooLarge else { return }
            let left = server.mails(in: "drafts").compactMap { $0["preview"]?.stringValue }.sorted()
            let text = place == .destroy ? ["Hi again"] : place == .trash || place.isSent ? [] : ["Hi"]
            #expect(left == text + ["Saved"])
            #expect(server.mails(in: "trash").count == (place == .trash ? 1 : 0))
            #expect(server.mails(in: "sent").count == (place.isSent ? 2 : 1))
        }
    }

    /// Both fail as an unreachable server does.
    @Test func `two drafts whose connections end don't hold up a third`() async throws {
        try await StandardDevice.run { server, device in
            for text in ["One", "Two"] {
                _ = try await device.mail.attach(Data(text.utf8), named: "a.txt", to: device.mail.draft(text))
            }
            device.clock.advance(by: 1)
            try await device.mail.save(device.mail.draft("Three"))
            device.transport.answer { request in
                guard request.url.path.hasPrefix("/upload/") else { return server.answer(request) }
                throw TransportError.unreachable("the connection was closed")
            }
            for _ in 0..<4 { _ = try? await device.settle(60) }
            #expect(server.mails(in: "drafts").map { $0["preview"] } == ["Three"])
        }
    }

    /// It says nothing about what the server thinks of the mail.
    @Test func `a draft whose connection alone ends for days isn't refused`() async throws {
        try await StandardDevice.run { server, device in
            let file = Data("file".utf8)
            let failing = try await device.mail.attach(file, named: "a.txt", to: device.mail.draft("Hi"))
            try await device.mail.send(failing)
            device.transport.answer { request in
                guard request.url.path.hasPrefix("/upload/") else { return server.answer(request) }
                throw TransportError.unreachable("the connection was closed")
            }
            for number in 0..<20 {
                try await device.mail.send(device.mail.draft("\(number)"))
                _ = try? await device.settle(10_800)
            }
            #expect(server.deliveries.count == 20)
            #expect(try await device.draft(failing.id)?.state.name == "uploading")
            device.transport.answer { server.answer($0) }
            for _ in 0..<2 { try await device.settle(400) }
            #expect(server.deliveries.map(\.text).suffix(1) == ["Hi"])
        }
    }

    /// A few requests find that out, and not one for each draft.
    @Test(arguments: [500, nil])
    func `a server that fails for all isn't asked for each draft`(status: Int?) async throws {
        try await StandardDevice.run { server, device in
            for number in 0..<20 { try await device.mail.save(device.mail.draft("\(number)")) }
            let count = Locked(0)
            device.transport.answer { request in
                guard String(decoding: request.body ?? [], as: UTF8.self).contains("Email/set") else {
                    return server.answer(request)
                }
                count.withLock { $0 += 1 }
                guard let status else { throw TransportError.unreachable("no network") }
                return TransportResponse(status: status, url: request.url)
            }
            device.clock.advance(by: 10)
            await #expect(throws: MailError.self) { try await device.mail.sync() }
            #expect(count.withLock { $0 } == (status == nil ? 2 : 3))
            device.transport.answer { server.answer($0) }
            for _ in 0..<2 { try await device.settle(60) }
            #expect(server.mails(in: "drafts").count == 20)
        }
    }

    /// The outbox as a whole doesn't wait for the failing draft.
    @Test(arguments: [403, 500])
    func `a live outbox sends the others at once`(status: Int) async throws {
        let clock = ManualClock()
        let server = StandardMailServer(clock: clock)
        let device = try await StandardDevice(server, clock: clock) { configuration in
            configuration.isLive = true
            configuration.undoSendInterval = 0
        }
        defer { try? FileManager.default.removeItem(at: device.directory) }
        #expect(try await eventually { device.mail.connectionState.isReachable })
        try await device.mail.sync()
        device.transport.answer { request in
            request.url.path.hasPrefix("/upload/")
                ? TransportResponse(status: status, url: request.url) : server.answer(request)
        }
        let failing = try await device.mail.attach(
            Data("file".utf8),
            named: "a.txt",
            to: device.mail.save(device.mail.draft("Hi"))
        )
        try await device.mail.save(failing, waitsForChanges: false)
        #expect(try await eventually { device.uploads >= 1 })
        for number in 0..<5 {
            try await device.mail.send(device.mail.draft("\(number)"))
            #expect(try await eventually { server.deliveries.count == number + 1 })
        }
        #expect(device.uploads < 5)
        await device.mail.close()
    }
}
