import Coverage
import Eventually
import Foundation
import RunningMailServer
import Testing

@testable import InboxKitCompatibility

/// Predicates on threads, built from the names that `NSPredicate` uses.
@MainActor @Suite(.timeLimit(.minutes(10))) struct PredicateTests {
    private func run(_ body: @MainActor (Device) async throws -> Void) async throws {
        try await Device.run(
            mail("alpha", at: 0),
            mail("beta", at: 1, "\\Seen", "\\Flagged"),
            mail("50% _off", at: 2, "\\Flagged"),
            mail("it's", at: 3, "\\Seen")
        ) { device, _ in try await body(device) }
    }

    private func subjects(_ device: Device, _ condition: ThreadCondition) async throws -> [String] {
        let sort = [SortDescriptor(\MailThread.lastMessageDate)]
        let predicate = condition.predicate
        let found = try await device.namespace.mail.threads(Query(where: predicate, sort: sort))
        // The store finds the threads that match in memory.
        let all = try await device.namespace.mail.threads(Query(sort: sort))
        let matching = try all.filter { try predicate.evaluate($0) }
        #expect(found == matching)
        return found.map(\.subject)
    }

    private typealias Case = (name: String, operation: ThreadCondition.Operation, value: Any, found: [String])

    private static let date = Date(timeIntervalSince1970: 1_760_000_060)
    private static let cases: [Case] = [
        ("subject", .compare(.equal), "it's", ["it's"]),
        ("subject", .compare(.notEqual), "it's", ["alpha", "beta", "50% _off"]),
        ("subject", .compare(.less), "b", ["alpha", "50% _off"]),
        // No wildcards.
        ("subject", .contains, "% _", ["50% _off"]),
        ("subject", .beginsWith, "al", ["alpha"]),
        ("subject", .isIn, ["alpha", "it's", "none"], ["alpha", "it's"]),
        ("snippet", .contains, "Hello", ["alpha", "beta", "50% _off", "it's"]),
        ("ID", .isIn, [String](), []),
        ("lastMessageDate", .compare(.less), date, ["alpha"]),
        ("lastMessageDate", .compare(.lessOrEqual), date, ["alpha", "beta"]),
        ("lastMessageDate", .compare(.greater), date, ["50% _off", "it's"]),
        ("lastMessageDate", .compare(.greaterOrEqual), date, ["beta", "50% _off", "it's"]),
        ("lastMessageDate", .isBetween, [date, date], ["beta"]),
        ("unread", .compare(.equal), true, ["alpha", "50% _off"]),
        ("unread", .compare(.notEqual), true, ["beta", "it's"]),
        ("unread", .compare(.equal), false, ["beta", "it's"]),
        ("unread", .compare(.notEqual), false, ["alpha", "50% _off"]),
        ("tagIDs", .compare(.equal), INTagIDUnread, ["alpha", "50% _off"]),
        ("tagIDs", .isIn, [INTagIDUnread, INTagIDStarred], ["alpha", "beta", "50% _off"]),
        ("tagIDs", .contains, INTagIDArchive, []),
    ]
    private static let unreadable: [Case] = [
        ("body", .contains, "x", []), ("subject", .compare(.equal), 1, []), ("subject", .isBetween, ["a", "b"], []),
        ("lastMessageDate", .contains, date, []), ("unread", .compare(.less), true, []),
        ("tagIDs", .beginsWith, "un", []), ("lastMessageDate", .isBetween, [date], []),
    ]

    private func condition(_ device: Device, _ entry: Case) -> ThreadCondition? {
        ThreadCondition.property(entry.name, entry.operation, entry.value) { device.namespace.condition(tagID: $0) }
    }

    @Test(.shows(.k25))
    func `properties are compared by name where that is meaningful, and a body isn't`() async throws {
        try await run { device in
            for entry in Self.cases {
                let made = try #require(condition(device, entry), "\(entry)")
                let found = try await subjects(device, made)
                #expect(found == entry.found, "\(entry)")
            }
            for entry in Self.unreadable { #expect(condition(device, entry).map { _ in true } == nil, "\(entry)") }
        }
    }

    @Test(.shows(.k24)) func `conditions combine with and, or and not`() async throws {
        try await run { device in
            let (unread, starred) = (ThreadCondition.holds(\.isUnread), ThreadCondition.holds(\.isStarred))
            #expect(try await subjects(device, .all([unread, starred])) == ["50% _off"])
            #expect(try await subjects(device, .any([unread, starred])) == ["alpha", "beta", "50% _off"])
            #expect(try await subjects(device, !.any([unread, starred])) == ["it's"])
            #expect(try await subjects(device, !(!unread)) == ["alpha", "50% _off"])
            #expect(try await subjects(device, .all([])).count == 4)
            #expect(try await subjects(device, .any([])).isEmpty)
            // Several tags are several filters, and all of them apply.
            let both = device.namespace.predicate(tagIDs: INTagIDInbox, INTagIDStarred, INTagIDUnread)
            #expect(try await device.namespace.mail.threads(Query(where: both)).map(\.subject) == ["50% _off"])
            let thread = try #require(try await device.thread("50% _off"))
            try await thread.archive()
            #expect(try await device.namespace.mail.threads(Query(where: both)).isEmpty)
            let archived = device.namespace.predicate(tagIDs: INTagIDArchive)
            #expect(try await device.namespace.mail.threads(Query(where: archived)).map(\.subject) == ["50% _off"])
            let unknown = device.namespace.predicate(tagIDs: "none")
            #expect(try await device.namespace.mail.threads(Query(where: unknown)).isEmpty)
        }
    }

    @Test func `an unsupported predicate is a named error, and the items stay`() async throws {
        try await run { device in
            let screen = Screen()
            let provider = device.namespace.newThreadProvider()
            provider.itemCachePolicy = .cacheOnly
            provider.delegate = screen
            #expect(try await eventually { screen.rows.count == 4 })
            provider.itemFilterPredicate = #Predicate { $0.messageCount + 1 > 1 }
            #expect(try await eventually { screen.calls.contains("failed") })
            let error = try #require(screen.errors.first as? InboxError)
            #expect(error.code == .invalidArgument && error.description.contains("arithmetic"))
            #expect(screen.rows.count == 4)
        }
    }
}
