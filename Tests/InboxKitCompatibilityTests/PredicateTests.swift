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

    private typealias Case = (format: String, arguments: [(any Sendable)?], found: [String])

    private static let date = Date(timeIntervalSince1970: 1_760_000_060)
    private static let cases: [Case] = [
        ("subject = 'it\\'s'", [], ["it's"]),
        ("subject != %@", ["it's"], ["alpha", "beta", "50% _off"]),
        ("subject < 'b'", [], ["alpha", "50% _off"]),
        // No wildcards.
        ("subject CONTAINS '% _'", [], ["50% _off"]),
        ("subject BEGINSWITH 'al'", [], ["alpha"]),
        ("subject BEGINSWITH 'AL'", [], []),
        ("subject ENDSWITH 'a'", [], ["alpha", "beta"]),
        ("subject LIKE '*a'", [], ["alpha", "beta"]),
        ("subject LIKE '?eta'", [], ["beta"]),
        ("subject LIKE '50% _*'", [], ["50% _off"]),
        ("subject ==[c] 'BETA'", [], ["beta"]),
        ("subject !=[c] 'BETA'", [], ["alpha", "50% _off", "it's"]),
        ("subject BEGINSWITH[c] 'AL'", [], ["alpha"]),
        ("subject CONTAINS[cd] 'ÉTA'", [], ["beta"]),
        ("subject CONTAINS[c] 'ÉTA'", [], []),
        ("subject CONTAINS[d] 'éta'", [], ["beta"]),
        ("subject IN {'alpha', \"it's\", 'none'}", [], ["alpha", "it's"]),
        ("subject IN[c] {'ALPHA'}", [], ["alpha"]),
        ("subject BETWEEN {'a', 'c'}", [], ["alpha", "beta"]),
        ("snippet CONTAINS 'Hello'", [], ["alpha", "beta", "50% _off", "it's"]),
        ("ID IN %@", [[String]()], []),
        ("lastMessageDate < %@", [date], ["alpha"]),
        ("lastMessageDate <= %@", [date], ["alpha", "beta"]),
        ("lastMessageDate > %@", [date], ["50% _off", "it's"]),
        ("%@ <= lastMessageDate", [date], ["beta", "50% _off", "it's"]),
        ("lastMessageDate BETWEEN {%@, %@}", [date, date], ["beta"]),
        ("lastMessageDate IN %@", [[date]], ["beta"]),
        ("unread = YES", [], ["alpha", "50% _off"]),
        ("unread != 1", [], ["beta", "it's"]),
        ("unread = %@", [false], ["beta", "it's"]),
        ("unread != NO", [], ["alpha", "50% _off"]),
        ("ANY tagIDs = %@", [INTagIDUnread], ["alpha", "50% _off"]),
        ("ANY tagIDs IN {'unread', 'starred'}", [], ["alpha", "beta", "50% _off"]),
        ("NONE tagIDs IN {'unread', 'starred'}", [], ["it's"]),
        ("ALL tagIDs != 'unread'", [], ["beta", "it's"]),
        ("tagIDs CONTAINS 'archive'", [], []),
        ("'starred' IN tagIDs", [], ["beta", "50% _off"]),
        ("ANY participants.email = 'anna@example.com'", [], ["alpha", "beta", "50% _off", "it's"]),
        ("ANY participants.email ENDSWITH[c] '@EXAMPLE.ORG'", [], []),
        ("ANY participants.name CONTAINS[cd] 'bérg' AND unread = YES", [], ["alpha", "50% _off"]),
        ("ALL participants.email ENDSWITH '@example.com'", [], ["alpha", "beta", "50% _off", "it's"]),
        ("ALL participants.name = 'Anna Berger'", [], []),
        ("ANY participants.name != 'Anna Berger'", [], ["alpha", "beta", "50% _off", "it's"]),
        ("NONE participants.email IN {'anna@example.com'}", [], []),
        ("(subject = 'alpha' OR subject = 'beta') AND NOT (unread = YES)", [], ["beta"]),
        ("FALSEPREDICATE OR NOT TRUEPREDICATE", [], []),
    ]
    private static let unreadable: [(String, INPredicateError.Reason)] = [
        ("body CONTAINS 'x'", .unknownProperty), ("subject = 1", .unsuitableValue),
        ("subject IN 'a'", .unsuitableValue), ("subject = nil", .unsuitableValue),
        ("subject <[c] 'a'", .unsuitableOperator), ("ANY subject = 'a'", .unsuitableOperator),
        ("lastMessageDate CONTAINS 'x'", .unsuitableOperator), ("lastMessageDate = 'x'", .unsuitableValue),
        ("lastMessageDate BETWEEN {'a', 'b'}", .unsuitableValue), ("lastMessageDate BETWEEN {1}", .unsuitableValue),
        ("unread < YES", .unsuitableOperator), ("unread = 2", .unsuitableValue),
        ("unread ==[c] YES", .unsuitableOperator),
        ("tagIDs BEGINSWITH 'un'", .unsuitableOperator), ("ALL tagIDs = 'a'", .unsuitableOperator),
        ("ANY tagIDs != 'a'", .unsuitableOperator), ("participants.email = 'a'", .unsuitableOperator),
        ("ANY participants = 'a'", .unknownProperty), ("ANY participants.email < 'a'", .unsuitableOperator),
    ]

    private func condition(_ device: Device, _ format: String, _ arguments: [(any Sendable)?]) throws -> ThreadCondition
    {
        let properties = device.namespace.newThreadProvider().properties
        return try ThreadCondition(try PredicateForm(format: format, arguments), properties)
    }

    @Test(.shows(.k25))
    func `properties are compared by name where that is meaningful, and a body isn't`() async throws {
        try await run { device in
            for entry in Self.cases {
                let found = try await subjects(device, try condition(device, entry.format, entry.arguments))
                #expect(found == entry.found, "\(entry)")
            }
            for (format, reason) in Self.unreadable {
                let error = #expect(throws: INPredicateError.self) { try condition(device, format, []) }
                #expect(error?.reason == reason, "\(format)")
            }
        }
    }

    @Test func `the longest and deepest predicates are read from the store and matched`() async throws {
        try await run { device in
            let count = INPredicateLimits.comparisons
            let long = (0..<(count - 1)).map { "subject CONTAINS 'x\($0)'" } + ["subject = 'beta'"]
            let either = try condition(device, long.joined(separator: " OR "), [])
            #expect(try await subjects(device, either) == ["beta"])
            let none = try condition(device, long.map { "NOT \($0)" }.joined(separator: " AND "), [])
            #expect(try await subjects(device, none) == ["alpha", "50% _off", "it's"])
            let texts = (0..<INPredicateLimits.values).map { $0 == 7 ? "alpha" : "x\($0)" }
            #expect(try await subjects(device, try condition(device, "subject IN %@", [texts])) == ["alpha"])
            var deep = "subject = 'beta'"
            for level in 0..<INPredicateLimits.depth {
                deep = level % 2 == 0 ? "subject = 'alpha' OR (\(deep))" : "unread = YES AND (\(deep))"
            }
            #expect(try await subjects(device, try condition(device, deep, [])) == ["alpha"])
        }
    }

    @Test func `a provider of each kind is filtered by a format, and an error changes nothing`() async throws {
        try await run { device in
            let messages = device.namespace.newMessageProvider()
            try messages.setItemFilterPredicate(
                format: "ANY from.email = %@ AND subject CONTAINS[cd] 'ET' AND unread = NO AND date > %@",
                "anna@example.com",
                Date(timeIntervalSince1970: 0)
            )
            #expect(try await eventually { messages.models.map(\.subject) == ["beta"] })
            let set = messages.itemFilterPredicate
            let error = #expect(throws: INPredicateError.self) {
                try messages.setItemFilterPredicate(format: "unread = YES AND body CONTAINS 'x'")
            }
            #expect(error?.offset == 17 && error?.description.contains("body") == true)
            #expect(set != nil && messages.itemFilterPredicate != nil && messages.models.map(\.subject) == ["beta"])
            let contacts = device.namespace.newContactProvider()
            try contacts.setItemFilterPredicate(
                format: "name LIKE[c] 'anna*' AND email ENDSWITH '.com' AND name != nil"
            )
            #expect(try await eventually { contacts.models.map(\.email) == ["anna@example.com"] })
            try contacts.setItemFilterPredicate(format: "name = NIL OR name IN {'Nina'} OR name !=[c] 'anna berger'")
            #expect(try await eventually { contacts.models.isEmpty })
            let drafts = device.namespace.newDraftsProvider()
            let draft = INDraft(in: device.namespace)
            draft.subject = "Über"
            try await draft.save()
            try drafts.setItemFilterPredicate(format: "subject BEGINSWITH[cd] 'UBER' AND threadID = nil")
            #expect(try await eventually { drafts.models.count == 1 })
        }
    }

    @Test(.shows(.k20)) func `a provider of each kind is sorted by InboxKit's names of texts and dates`() async throws {
        let zoe = "Zoe <abc@example.org>"
        try await Device.run(mail("b", at: 0), mail("a", at: 1, from: zoe)) { device, _ in
            let threads = device.namespace.newThreadProvider()
            threads.itemSortDescriptors = [try threads.sortDescriptor(key: "subject", isAscending: true)]
            #expect(try await eventually { threads.models.map(\.subject) == ["a", "b"] })
            threads.itemSortDescriptors = [try threads.sortDescriptor(key: "lastMessageDate", isAscending: true)]
            #expect(try await eventually { threads.models.map(\.subject) == ["b", "a"] })
            let messages = device.namespace.newMessageProvider()
            messages.itemSortDescriptors = [try messages.sortDescriptor(key: "date", isAscending: true)]
            #expect(try await eventually { messages.models.map(\.subject) == ["b", "a"] })
            let contacts = device.namespace.newContactProvider()
            contacts.itemSortDescriptors = [try contacts.sortDescriptor(key: "name", isAscending: true)]
            #expect(try await eventually { contacts.models.map(\.name) == ["Anna Berger", "Zoe"] })
            contacts.itemSortDescriptors = [try contacts.sortDescriptor(key: "email", isAscending: true)]
            #expect(try await eventually { contacts.models.map(\.name) == ["Zoe", "Anna Berger"] })
            let drafts = device.namespace.newDraftsProvider()
            for subject in ["d", "c"] {
                let draft = INDraft(in: device.namespace)
                draft.subject = subject
                try await draft.save()
            }
            drafts.itemSortDescriptors = [try drafts.sortDescriptor(key: "subject", isAscending: true)]
            #expect(try await eventually { drafts.models.map(\.subject) == ["c", "d"] })
            for key in ["body", "unread", "participants.email", nil] {
                let error = #expect(throws: InboxError.self) {
                    try threads.sortDescriptor(key: key, isAscending: true)
                }
                #expect(error?.code == .invalidArgument)
            }
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
