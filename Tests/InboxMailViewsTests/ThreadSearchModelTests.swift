import Eventually
import Foundation
import Groundwork
import InboxMail
import InboxMailViews
import InboxTesting
import StandardMailServer
import Testing

/// A search of an account's mail on screen.
@Suite(.timeLimit(.minutes(5))) @MainActor
struct ThreadSearchModelTests {
    private let device: MailDevice
    private let search: ThreadSearchModel

    init() async throws {
        device = try await MailDevice()
        device.server.behave { $0.searchesTexts = true }
        device.deliver("Menu", text: "Soup of the day", id: "menu")
        device.deliver("Re: Menu", from: MailDevice.bob, text: "No soup for me", id: "answer", answering: "menu")
        device.deliver("Café reçu", from: MailDevice.bob, text: "Two cups")
        device.deliver("Long", text: String(repeating: "word ", count: 100) + "needle & thread")
        try await device.mail.sync()
        search = ThreadSearchModel(device.mail, clock: device.clock)
    }

    private var subjects: [String] { search.results.map(\.thread.subject) }

    private func type(_ text: String) {
        search.text = text
        device.clock.advance(by: ThreadSearchModel.delay)
    }

    private func found(_ subjects: [String]) async throws -> Bool {
        try await eventually { search.state == .found && self.subjects == subjects && !search.isSearchingServer }
    }

    private func marked(_ text: HighlightedText) -> [String] { text.ranges.map { String(text.text[$0]) } }

    @Test func `a thread is found once, by its newest mail, with the places highlighted`() async throws {
        type("soup")
        #expect(try await found(["Menu"]))
        let result = try #require(search.results.first)
        #expect(result.message.subject == "Re: Menu" && marked(result.snippet) == ["soup"])
        type("CAFE recu")
        #expect(try await found(["Café reçu"]))
        #expect(search.results.first.map { marked($0.subject) } == ["Café", "reçu"])
        type("nowhere")
        #expect(try await found([]))
    }

    @Test func `a search waits for the end of typing, and ends at once`() async throws {
        let before = device.clock.sleeperCount
        for text in ["s", "so", "soup"] {
            search.text = text
            #expect(try await eventually { device.clock.sleeperCount == before + 1 })
            device.clock.advance(by: ThreadSearchModel.delay * 0.6)
            // It still waits for its time.
            #expect(device.clock.sleeperCount == before + 1)
            #expect(search.state == .searching && search.results.isEmpty)
        }
        device.clock.advance(by: ThreadSearchModel.delay)
        #expect(try await found(["Menu"]))
        search.text = " "
        #expect(search.state == .idle && search.results.isEmpty && !search.isActive)
    }

    @Test func `the server finds what isn't in the stored beginning of a text`() async throws {
        #expect(try await device.mail.search("needle").isEmpty)
        type("needle")
        #expect(try await found(["Long"]))
        let snippet = try #require(search.results.first?.snippet)
        #expect(marked(snippet) == ["needle"] && snippet.text.hasSuffix("needle & thread"))
        #expect(search.serverError == nil)
    }

    @Test func `offline, only the device is searched, and the error stays until an answer`() async throws {
        device.disconnect()
        type("soup")
        #expect(try await eventually { subjects == ["Menu"] && search.serverError?.code == .notConnected })
        #expect(!search.isSearchingServer && search.state == .found)
        device.reconnect()
        await search.refresh()
        #expect(search.serverError == nil)
        #expect(try await found(["Menu"]))
    }

    @Test func `results follow changes of the mail`() async throws {
        type("soup")
        #expect(try await found(["Menu"]))
        try await device.mail.star(thread: try await device.thread("Menu"))
        #expect(try await eventually { search.results.first?.thread.isStarred == true })
        device.deliver("More soup")
        try await device.mail.sync()
        #expect(try await eventually { subjects == ["More soup", "Menu"] })
        device.empty("inbox")
        try await device.mail.sync()
        #expect(try await eventually { subjects.isEmpty && search.state == .found })
    }

    @Test func `a search is extended by a page`() async throws {
        let other = try await MailDevice()
        try await other.store(120)
        let search = ThreadSearchModel(other.mail, clock: other.clock)
        search.text = "mail"
        other.clock.advance(by: ThreadSearchModel.delay)
        #expect(try await eventually { search.results.count == 50 && search.hasMore && !search.isSearchingServer })
        search.loadMore()
        #expect(try await eventually { search.results.count == 100 && search.hasMore && !search.isSearchingServer })
        search.loadMore()
        #expect(try await eventually { search.results.count == 120 && !search.hasMore })
    }

    @Test func `closed mail has no results`() async throws {
        type("soup")
        #expect(try await found(["Menu"]))
        await device.mail.close()
        #expect(
            try await eventually { if case .failed(let error) = search.state { error.code == .closed } else { false } }
        )
        #expect(search.results.isEmpty)
    }
}
