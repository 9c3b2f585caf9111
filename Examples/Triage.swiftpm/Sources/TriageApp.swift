import InboxMailViews
import SwiftUI

/// The inboxes of all accounts as a pile of cards: archive, keep or delete the one on top, and the next one appears.
///
/// Based on InboxKit's Triage. It shows how an app draws mail itself: the rows of the library's models on views of its
/// own, and a mail's body, cleaned, in `MailBodyView`.
@main
struct TriageApp: App {
    @State private var session = MailSessionModel(scheme: "com.example.triage", appName: "Triage")

    var body: some Scene {
        WindowGroup {
            MailSessionView(session) { TriageScreen(session) }.tint(Color.blue)
        }
    }
}
