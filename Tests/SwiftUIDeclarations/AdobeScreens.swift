// The calls of Adobe's document on InboxUI for screens, as an app makes them. `scripts/check-swiftui` type-checks them.
import AdobeCompatibility
import Combine
import SwiftUI

@MainActor
func customize(_ inboxUI: InboxUI) {
    inboxUI.refresh()
    inboxUI.isPullToRefreshEnabled = true
    inboxUI.cardSpacing = 20
    inboxUI.contentPadding = EdgeInsets(top: 8, leading: 8, bottom: 8, trailing: 8)
    inboxUI.unreadIconSize = 12
    inboxUI.setBackground(Color.secondary)
    inboxUI.setBackground(
        LinearGradient(colors: [.blue.opacity(0.1), .purple.opacity(0.05)], startPoint: .top, endPoint: .bottom)
    )
    inboxUI.setLoadingView {
        AnyView(
            VStack {
                ProgressView()
                Text("One moment")
            }
        )
    }
    inboxUI.setErrorView { error in
        AnyView(
            VStack {
                Text("No messages today")
                Text(error.localizedDescription).foregroundColor(.secondary)
                Button("Once more") { inboxUI.refresh() }
            }
        )
    }
    inboxUI.setEmptyView { settings in
        AnyView(
            VStack {
                if let message = settings?.message { message.view } else { Text("Nothing") }
                if let image = settings?.image { image.view }
            }
        )
    }
    inboxUI.setHeadingView { heading in
        AnyView(
            HStack {
                Image(systemName: "tray.fill")
                heading.view.font(.title2).fontWeight(.bold)
            }.padding()
        )
    }
}

struct Screen: View {
    let inboxUI: InboxUI
    let card: ContentCardUI

    var body: some View {
        VStack {
            inboxUI.view
            card.view
        }
    }
}

/// A view that holds the inbox as an observed object, as with Adobe's SDK.
struct ObservedScreen: View {
    @ObservedObject var inboxUI: InboxUI

    var body: some View { inboxUI.view }
}

/// A structure that listens to an inbox, and subscribes to its published properties.
struct Subscriptions: InboxEventListening {
    var cancellables: Set<AnyCancellable> = []

    @MainActor
    mutating func follow(_ inboxUI: InboxUI) {
        inboxUI.$state.sink { state in print(state.cards.count) }.store(in: &cancellables)
        inboxUI.$inboxSchemaData.sink { data in print(data?.heading?.content ?? "") }.store(in: &cancellables)
        inboxUI.objectWillChange.sink { print("changes") }.store(in: &cancellables)
        inboxUI.listener = self
    }

    func onError(_ inbox: InboxUI, _ error: any Error) {
        if case .dataUnavailable? = error as? InboxError { print("offline") }
    }
}
