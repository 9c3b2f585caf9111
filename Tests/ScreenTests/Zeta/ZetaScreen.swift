import SwiftUI
import ZetaCompatibility

// A screen as an app with Zeta's SDK has it. Where Zeta's document is beside the package, `scripts/test-screens`
// compiles its complete screen in place of this file.

struct InboxView: View {
    @State private var list: [ZTAppInboxMessage] = []
    @State private var unread = 0

    var body: some View {
        NavigationView {
            List(list) { message in
                InboxRow(message: message, onTap: { tapped(message) }, onCTA: { pressed($0, of: message) })
            }
            .navigationTitle("Inbox")
            .badge(unread)
            .task {
                list = (try? await ZetaClient.shared.inbox?.fetchMessages()) ?? []
                unread = (try? await ZetaClient.shared.inbox?.getUnreadMessageCount()) ?? 0
            }
        }
    }

    private func tapped(_ message: ZTAppInboxMessage) {
        Task {
            try await ZetaClient.shared.inbox?.markMessageAsRead(messageId: message.messageId)
            unread = max(0, unread - 1)
        }
    }

    private func pressed(_ action: ZTCtaAction, of message: ZTAppInboxMessage) {
        Task {
            let value = action.value.isEmpty ? action.link : action.value
            try await ZetaClient.shared.inbox?.onMessageClicked(messageId: message.messageId, actionValue: value)
        }
        if let url = URL(string: action.link) { UIApplication.shared.open(url) }
    }
}

struct InboxRow: View {
    let message: ZTAppInboxMessage
    let onTap: () -> Void
    let onCTA: (ZTCtaAction) -> Void

    var body: some View {
        VStack {
            if message.status == .unread { Circle().fill(Color.blue) }
            Text(message.title)
            Text(message.body)
            ForEach(message.actionList ?? [], id: \.value) { action in
                Button(action.text) { onCTA(action) }
            }
        }
        .contentShape(Rectangle())
        .onTapGesture(perform: onTap)
    }
}
