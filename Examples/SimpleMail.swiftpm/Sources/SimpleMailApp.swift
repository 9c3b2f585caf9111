import InboxMailViews
import SwiftUI

/// A mail app: several accounts, mailboxes, threads, search, reading, writing and the outbox, offline too.
///
/// Based on InboxKit's Simple Mail, which lists threads and archives them. Everything on screen is the library's; the
/// app has the accounts, what is being written, and a color.
@main
struct SimpleMailApp: App {
    @State private var session = MailSessionModel(scheme: "com.example.simplemail", appName: "Simple Mail")
    @State private var writing = MailWritingModel()

    var body: some Scene {
        WindowGroup {
            MailSessionView(session) { MailScreen(session.accounts) }
                .mailWriting(writing)
                .tint(Color.purple)
        }
    }
}
