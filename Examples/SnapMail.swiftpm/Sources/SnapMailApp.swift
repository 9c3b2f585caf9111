import InboxMail
import InboxMailViews
import SwiftUI

/// Pictures for contacts, each seen once.
///
/// Based on InboxKit's SnapMail. A snap is a mail with the subject "New snap from …" and a picture: the person's
/// mailbox is the backend. It shows a list by a predicate, files that are fetched on demand, drafts with files, and how
/// far a mail has come.
@main
struct SnapMailApp: App {
    @State private var session = MailSessionModel(
        scheme: "com.example.snapmail",
        appName: "SnapMail",
        mail: SnapMailApp.configuration
    )

    var body: some Scene {
        WindowGroup {
            MailSessionView(session) {
                if let account = session.accounts.current { SnapList(session, account).mail(account.mail) }
            }
            .tint(Color.purple)
        }
    }

    private static var configuration: MailConfiguration {
        var configuration = MailConfiguration()
        // A snap leaves at once.
        configuration.undoSendInterval = 0
        return configuration
    }
}

/// What makes a mail a snap.
enum Snap {
    static let subject = "New snap from "

    /// The picture of a thread's last mail that has one; nil if none has.
    static func picture(of thread: MailThread, in mail: Mail) async throws -> MailFile? {
        for message in try await mail.messages(inThread: thread.id).reversed() {
            let files = try await mail.attachments(ofMessage: message.id)
            if let file = files.first(where: { $0.file.type.hasPrefix("image/") }) { return file.file }
        }
        return nil
    }
}
