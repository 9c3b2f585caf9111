import InboxClient
import InboxTesting
import InboxViews
import SwiftUI

/// An inbox with sample messages, which requires no server. Your own inbox:
/// `Inbox.open(server:person:directory:token:)`.
struct DemoView: View {
    @State private var inboxUI: InboxUI?
    @State private var listener = DemoListener()

    var body: some View {
        NavigationStack {
            Group {
                if let inboxUI { inboxUI.view } else { ProgressView() }
            }
            .navigationTitle("Inbox")
        }
        .task {
            guard inboxUI == nil, let inbox = try? await Inbox.preview() else { return }
            let made = InboxUI(surface: "inbox", inbox: inbox, listener: listener)
            made.isPullToRefreshEnabled = true
            inboxUI = made
        }
    }
}

/// Prints the events.
@MainActor
final class DemoListener: InboxEventListening {
    func onCardDisplayed(_ card: ContentCardUI) {
        print("displayed: \(card.message.title)")
    }

    func onCardInteracted(_ card: ContentCardUI, _ interactionId: String, actionURL: URL?) -> Bool {
        print("interacted: \(card.message.title), \(interactionId)")
        return false
    }
}

struct DemoView_Previews: PreviewProvider {
    static var previews: some View { DemoView() }
}
