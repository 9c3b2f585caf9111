import InboxClient
import InboxTesting
import InboxViews
import SwiftUI

/// An inbox with sample messages, which requires no server. Your own inbox:
/// `Inbox.open(server:person:token:)`.
struct DemoView: View {
    @State private var inbox: Inbox?
    @State private var failure: String?

    var body: some View {
        Group {
            if let failure {
                VStack(spacing: 12) {
                    Text(failure)
                    Button("Try Again") { Task { await open() } }
                }
                .padding()
            } else {
                InboxScreen()
            }
        }
        .inbox(inbox)
        .task { await open() }
    }

    private func open() async {
        do {
            inbox = try await Inbox.preview()
            failure = nil
        } catch {
            failure = error.localizedDescription
        }
    }
}

struct DemoView_Previews: PreviewProvider {
    static var previews: some View { DemoView() }
}
