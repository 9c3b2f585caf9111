#if canImport(SwiftUI)
    import InboxCards
    import InboxClient
    import InboxViews
    import SwiftUI

    /// The screen of an ``InboxUI``.
    struct InboxView: View {
        let inbox: InboxUI
        @Environment(\.scenePhase) private var scenePhase

        var body: some View {
            content
                .frame(maxWidth: .infinity, maxHeight: .infinity)
                .background { background }
                .inbox(inbox.inbox)
                .inboxTexts(inbox.texts)
                .onChange(of: scenePhase) { _, phase in
                    // An alert or the control center over the app makes it inactive, and ends no visit.
                    if phase == .background { inbox.endVisit() }
                }
                .onDisappear { inbox.endVisit() }
                #if canImport(AppKit) && !canImport(UIKit)
                    // A list isn't pulled there.
                    .toolbar {
                        ToolbarItem(placement: .primaryAction) {
                            Button(inbox.texts[.refresh], systemImage: "arrow.clockwise") { inbox.refresh() }
                            .keyboardShortcut("r")
                            .disabled(inbox.isRefreshing)
                        }
                    }
                #endif
        }

        @ViewBuilder private var content: some View {
            switch inbox.state {
            case .loading: loading
            case .error(let error): failure(error)
            case .loaded(let cards): CardListView(inbox: inbox, cards: cards)
            }
        }

        @ViewBuilder private var background: some View {
            Group {
                if let custom = inbox.customViews.background { custom } else { Color(CardColor.page) }
            }
            .ignoresSafeArea()
        }

        @ViewBuilder private var loading: some View {
            if let custom = inbox.customViews.loading {
                custom()
            } else {
                VStack(spacing: 12) {
                    ProgressView()
                    TextView(text: TextElement(inbox.texts[.loading]))
                }
            }
        }

        @ViewBuilder private func failure(_ error: any Error) -> some View {
            if let custom = inbox.customViews.error {
                custom(error)
            } else {
                // With large texts it is higher than the screen.
                ScrollView {
                    VStack(spacing: 12) {
                        TextView(
                            text: TextElement(inbox.settingsTitle, font: .title, color: .primary, alignment: .center)
                        )
                        if let message = inbox.settingsMessage {
                            TextView(text: TextElement(message, alignment: .center))
                        }
                        Button(inbox.texts[.tryAgain]) { inbox.refresh() }
                    }
                    .frame(maxWidth: .infinity)
                    .padding()
                    .padding(.top, 40)
                }
            }
        }
    }

    extension InboxUI {
        /// The title of the error view.
        fileprivate var settingsTitle: String { settings.errorTitle ?? texts.loadingFailed }
        fileprivate var settingsMessage: String? { settings.errorMessage }
    }
#endif
