import Coverage
import Eventually
import Foundation
import RunningMailServer
import SeededRandom
import Testing

@testable import InboxKitCompatibility

/// Model providers by InboxKit's names, against Cyrus.
@MainActor @Suite(.timeLimit(.minutes(10))) struct ProviderTests {
    private static let mails = [
        mail("One", at: 1), mail("Two", at: 2, "\\Seen"), mail("Three", at: 3),
        mail("Four", at: 4, "\\Seen", "\\Flagged"),
    ]

    private func run(_ body: @MainActor (Device, MailServer) async throws -> Void) async throws {
        try await Device.run(Self.mails[0], Self.mails[1], Self.mails[2], Self.mails[3]) { device, server in
            try await body(device, server)
        }
    }

    @Test(.shows(.k13, .k18, .k19, .k20, .k21, .k26, .k27))
    func `the document's example shows unread threads, newest first`() async throws {
        try await run { device, _ in
            let screen = Screen()
            let namespace = try #require(device.manager.namespaces().first)
            let provider = namespace.newThreadProvider()
            provider.itemFilterPredicate = namespace.predicate(tagIDs: INTagIDUnread)
            provider.itemSortDescriptors = [SortDescriptor(\.lastMessageDate, order: .reverse)]
            provider.delegate = screen
            #expect(provider.items.isEmpty)
            #expect(try await eventually { screen.calls.contains("completed") })
            #expect(provider.models.map(\.subject) == ["Three", "One"] && screen.rows == ["Three ●", "One ●"])
            #expect(screen.calls == ["changed", "completed"])
            // With several sort descriptors, equal values of the first are ordered by the second.
            screen.removeAll()
            provider.itemFilterPredicate = nil
            provider.itemSortDescriptors = [
                SortDescriptor(\.messageCount), SortDescriptor(\.subject, comparator: .lexical),
            ]
            #expect(try await eventually { screen.calls.contains("completed") })
            #expect(screen.rows == ["Four", "One ●", "Three ●", "Two"])
        }
    }

    @Test(.shows(.k31)) func `predicate, order and range changed together are one refresh`() async throws {
        try await run { (device, _) async throws in
            let screen = Screen()
            let provider = device.namespace.newThreadProvider()
            provider.delegate = screen
            #expect(try await eventually { screen.calls == ["changed", "completed"] })
            screen.removeAll()
            provider.itemFilterPredicate = #Predicate { $0.isStarred }
            provider.itemSortDescriptors = [SortDescriptor(\.lastMessageDate)]
            provider.itemRange = NSRange(location: 1, length: 2)
            provider.itemFilterPredicate = nil
            #expect(try await eventually { screen.calls.contains("completed") })
            #expect(screen.calls == ["changed", "completed"] && screen.rows == ["Two", "Three ●"])
            screen.removeAll()
            // A larger range keeps the items on screen, and nothing is fetched.
            provider.extendItemRange(.max)
            #expect(try await eventually { screen.rows == ["Two", "Three ●", "Four"] })
            #expect(screen.calls == ["altered"])
            screen.removeAll()
            provider.refresh()
            #expect(try await eventually { screen.calls == ["completed"] && !provider.isRefreshing() })
            screen.removeAll()
            provider.itemCachePolicy = .cacheOnly
            #expect(try await eventually { screen.calls == ["changed"] })
        }
    }

    @Test func `changing the cache policy never empties the list`() async throws {
        try await run { (device, _) async throws in
            let screen = Screen()
            let provider = device.namespace.newThreadProvider()
            provider.delegate = screen
            #expect(try await eventually { screen.calls == ["changed", "completed"] })
            screen.removeAll()
            let before = provider.records
            provider.itemCachePolicy = .cacheOnly
            provider.relay.results(before, didChange: ListChanges())
            provider.relay.resultsDidReload(before)
            #expect(try await eventually { !screen.calls.isEmpty })
            #expect(screen.calls == ["changed"] && screen.changes.isEmpty && screen.rows.count == 4)
        }
    }

    @Test(.shows(.k23)) func `a thread marked read leaves the unread list and stays in the other`() async throws {
        try await run { device, _ in
            let (unread, all) = (Screen(), Screen())
            let providers = [device.namespace.newThreadProvider(), device.namespace.newThreadProvider()]
            providers[0].itemFilterPredicate = #Predicate { $0.isUnread }
            for (provider, screen) in zip(providers, [unread, all]) { provider.delegate = screen }
            for screen in [unread, all] { #expect(try await eventually { screen.calls.last == "completed" }) }
            #expect(unread.rows.count == 2 && all.rows.count == 4)
            try await providers[0].models[0].markAsRead()
            #expect(try await eventually { unread.rows == ["One ●"] && all.rows == ["Four", "Three", "Two", "One ●"] })
            let updates = all.changes.flatMap { $0.indexPaths(for: .update) }
            #expect(updates == [IndexPath(indexes: [0, 1])], "notified once, after the model has changed")
            #expect(all.changes.allSatisfy { $0.indexPaths(for: .add).isEmpty && $0.indexPaths(for: .remove).isEmpty })
        }
    }

    @Test(.shows(.k14, .k28, .k29)) func `random change sets take the table from one list to the next`() async throws {
        try await run { device, server in
            let screen = Screen()
            let provider = device.namespace.newThreadProvider()
            provider.itemFilterPredicate = device.namespace.predicate(tagIDs: INTagIDInbox)
            provider.itemSortDescriptors = [SortDescriptor(\.unreadCount), SortDescriptor(\.lastMessageDate)]
            provider.delegate = screen
            #expect(try await eventually { screen.rows.count == 4 })
            let mail = device.namespace.mail
            let ids = try await mail.threads().map(\.id)
            var random = Seeded(7)
            for _ in 0..<40 {
                let some = Array(ids.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random)))
                switch Int.random(in: 0..<5, using: &random) {
                case 0: try await mail.markRead(threads: some)
                case 1: try await mail.markUnread(threads: some)
                case 2: try await mail.archive(threads: some)
                case 3: try await mail.unarchive(threads: some)
                default: try await mail.star(threads: some)
                }
            }
            try await server.imap().append([KitMail.late])
            provider.refresh()
            #expect(try await eventually { screen.calls.last == "completed" && screen.rows.contains("Late ●") })
            let stored = try await mail.threads(
                Query(where: provider.itemFilterPredicate, sort: provider.itemSortDescriptors)
            )
            #expect(try await eventually { provider.items.map(\.ID) == stored.map(\.id) })
            #expect(try await eventually { screen.rows == provider.items.map(Screen.row) })
            #expect(screen.calls.filter { $0 == "changed" }.count == 1)
        }
    }

    @Test(.shows(.k30)) func `without a server the error is reported and the items stay`() async throws {
        try await run { device, server in
            try await server.kill()
            let screen = Screen()
            let provider = device.namespace.newThreadProvider()
            provider.delegate = screen
            #expect(try await eventually { screen.calls == ["changed", "failed"] })
            #expect((screen.errors.first as? InboxError)?.code == .notConnected && screen.rows.count == 4)
            #expect(screen.errors.first?.localizedDescription.isEmpty == false)
            try await server.restart()
            provider.refresh()
            #expect(try await eventually { screen.calls.last == "completed" })
        }
    }

    @Test(.shows(.k15)) func `another client's changes arrive automatically`() async throws {
        try await Device.run(
            mail("One", at: 1),
            configure: { configuration in
                configuration.isLive = true
                configuration.pollInterval = 0.5
            }
        ) { device, server in
            let screen = Screen()
            let provider = device.namespace.newThreadProvider()
            provider.delegate = screen
            #expect(try await eventually { screen.rows == ["One ●"] })
            try await server.imap().append([KitMail.late])
            #expect(try await eventually { screen.rows == ["Late ●", "One ●"] })
        }
    }

    @Test(.shows(.k05)) func `a provider shows a part of the mail, or the mails of one thread`() async throws {
        try await Device.run(IMAPClient.Mail(SampleMail.manyAttachments.bytes), Self.mails[0]) { device, _ in
            let provider = device.namespace.newThreadProvider()
            provider.itemFilterPredicate = #Predicate { $0.isInInbox && $0.hasAttachments }
            #expect(try await eventually { provider.items.count == 1 })
            let thread = try #require(provider.models.first)
            let messages = thread.newMessageProvider()
            #expect(try await eventually { messages.items.map(\.ID) == thread.messageIDs })
            #expect(try await device.namespace.mail.status().messages == 2, "the device has the whole mailbox")
        }
    }

    @Test func `a provider doesn't retain its delegate and ends when released`() async throws {
        try await run { (device, _) async throws in
            var screen: Screen? = Screen()
            weak let weakScreen = screen
            var provider: INThreadProvider? = device.namespace.newThreadProvider()
            weak let weakProvider = provider
            provider?.delegate = screen
            #expect(try await eventually { weakScreen?.rows.count == 4 })
            screen = nil
            #expect(weakScreen == nil)
            provider = nil
            #expect(try await eventually { weakProvider == nil })
        }
    }
}

enum KitMail {
    static let late = mail("Late", at: 100)
}
