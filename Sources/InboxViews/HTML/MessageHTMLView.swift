#if canImport(SwiftUI) && canImport(WebKit)
    import HTMLViews
    import InboxCards
    import InboxModel
    import InboxClient
    public import SwiftUI

    /// A message's HTML in SwiftUI, as high as the message. Put it into a `ScrollView`.
    public struct MessageHTMLView: View {
        private let model: MessageHTMLModel
        @Environment(\.openURL) private var openURL
        @Environment(\.dismiss) private var dismiss

        /// Creates the view of a message.
        public init(_ model: MessageHTMLModel) {
            self.model = model
        }

        /// The message, or a text in its place.
        public var body: some View {
            content
                .onViewportChange { model.show(in: $0) }
                .onAppear {
                    if model.linkOpener == nil { model.linkOpener = .system(openURL) }
                    if model.close == nil { model.close = { [dismiss] in dismiss() } }
                }
        }

        @ViewBuilder private var content: some View {
            switch model.state {
            case .loading: ProgressView().accessibilityLabel(model.texts[.loading]).padding()
            case .shown(let page):
                HTMLPageView(page, onLink: clicked, onFailure: { model.fail($0) })
            case .withoutHTML: Text(model.message?.body ?? "").padding()
            case .gone: Text(model.texts[.messageGone]).padding()
            case .failed:
                VStack(spacing: 12) {
                    Text(model.texts[.messageFailed])
                    Button(model.texts[.tryAgain]) { model.retry() }
                }
                .padding()
            }
        }

        private func clicked(_ url: String) {
            Task { try? await model.clicked(url) }
        }
    }
#endif
