import Coverage
import Eventually
import Foundation
import InboxKitCompatibility
import RunningMailServer
import Testing

/// InboxKit's slices: the device holds the mail that the app's providers need.
@MainActor @Suite(.timeLimit(.minutes(10))) struct SliceTests {
    @Test(.shows(.k22)) func `with slices, the device holds only what its providers need`() async throws {
        try await MailServer.run { server in
            let imap = try server.imap()
            try await imap.append([mail("Plans", at: 0), mail("Read", at: 1, "\\Seen"), mail("News", at: 2)])
            try await imap.append([mail("Filed", at: 3)], to: "Archive")
            let device = try await Device(server, scope: .slices)
            let namespace = device.namespace
            try await namespace.mail.sync()
            #expect(try await namespace.mail.status().messages == 0, "no provider needs mail yet")

            let provider = namespace.newThreadProvider()
            let screen = Screen()
            provider.delegate = screen
            // A predicate created before the first sync contains no mailboxes.
            provider.itemFilterPredicate = namespace.predicate(tagIDs: INTagIDInbox, INTagIDUnread)
            #expect(try await eventually { provider.models.map(\.subject) == ["News", "Plans"] })
            #expect(try await eventually { screen.rows == ["News ●", "Plans ●"] })
            #expect(try await namespace.mail.status().messages == 2)

            // A thread that no longer matches leaves the list, and a new match joins it.
            try await provider.models[0].markAsRead()
            #expect(try await eventually { provider.models.map(\.subject) == ["Plans"] })
            try await imap.append([mail("Late", at: 4)])
            try await namespace.mail.sync()
            #expect(try await eventually { provider.models.map(\.subject) == ["Late", "Plans"] })
            let again = try await device.manager.authenticate(
                server: server.url,
                credentials: .basic(user: "alice") { "" },
                directory: device.directory,
                scope: .slices
            )
            #expect(again === namespace)
            await device.end()
        }
    }
}
