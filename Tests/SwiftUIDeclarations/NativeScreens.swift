// The native screens, as an app makes them. `scripts/check-swiftui` type-checks them.
import InboxCards
import InboxClient
import InboxModel
import InboxViews
import SwiftUI

struct Orders: View {
    @Messages(where: #Predicate { $0.category == "orders" }, sort: [SortDescriptor(\.deliverAt)]) var orders
    @UnreadCount(surface: "offers") var unread

    var body: some View {
        List {
            ForEach(orders) { MessageCard($0) }
            if $orders?.hasMore ?? false { Button("More") { $orders?.loadMore() } }
            Text("\(unread)")
        }
    }
}

struct Row: View {
    @LiveMessage var message: Message?

    init(id: String) { _message = LiveMessage(id) }

    var body: some View { Text(message?.title ?? "") }
}

struct Plain: InboxCardStyle {
    func makeBody(configuration: Configuration) -> some View {
        configuration.content.padding().border(configuration.isUnread ? .blue : .gray)
    }
}

struct Styled: View {
    @State private var isShown = false

    var body: some View {
        InboxScreen(surface: "offers") { placeholder in
            if case .empty(.inbox) = placeholder { Text("All done") } else { InboxPlaceholderView(placeholder) }
        }
        .inboxCardStyle(Plain())
        .inboxUnreadIndicator(.hidden)
        .inboxTexts(CardTexts(.german))
        .toolbar {
            ToolbarItem { InboxButton { isShown = true } }
        }
    }
}

struct OwnNavigation: View {
    let model: InboxScreenModel
    @State private var opened: String?

    var body: some View {
        NavigationStack {
            InboxList(model)
            InboxList(surface: "offers") { opened = $0.id }
            ConnectionStatus()
            if let opened { MessageDetail(opened) }
        }
    }
}
