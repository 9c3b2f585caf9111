import InboxClient
import InboxTesting
import InboxViews
import SwiftUI

/// An inbox with sample messages, which requires no server. Your own inbox:
/// `Inbox.open(server:person:token:)`.
struct DemoView: View {
    @State private var inbox: Inbox?

    var body: some View {
        InboxScreen()
            .inbox(inbox)
            .task { inbox = try? await Inbox.preview() }
    }
}

struct DemoView_Previews: PreviewProvider {
    static var previews: some View { DemoView() }
}
