// Screens with a message's HTML and with a mail's body, as an app makes them. `scripts/check-swiftui` type-checks them.
import InboxClient
import InboxMail
import InboxMailViews
import InboxViews
import SwiftUI

struct MessageScreen: View {
    @State private var model: MessageHTMLModel

    init(_ id: String, in inbox: Inbox) {
        _model = State(wrappedValue: MessageHTMLModel(id, in: inbox))
    }

    var body: some View { ScrollView { MessageHTMLView(model) } }
}

struct MailScreen: View {
    @State private var model: MailBodyModel

    init(_ message: MailMessage, in mail: Mail) {
        _model = State(wrappedValue: MailBodyModel(message, in: mail))
    }

    var body: some View {
        ScrollView {
            MailBodyView(model)
            ForEach(model.attachments) { file in Text(file.name ?? file.type) }
        }
    }
}

#if canImport(UIKit)
    import UIKit

    @MainActor
    func messageView(_ id: String, in inbox: Inbox, opening open: @escaping @MainActor (URL) -> Void) -> UIView {
        let model = MessageHTMLModel(id, in: inbox)
        model.linkOpener = LinkOpener(inApp: open, systemBrowser: open, app: open)
        return MessageHTMLUIView(model)
    }
#endif
