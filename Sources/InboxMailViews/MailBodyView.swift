#if canImport(SwiftUI) && canImport(WebKit)
    import Foundation
    import HTMLViews
    import InboxCards
    import InboxMail
    public import SwiftUI

    /// A mail's body in SwiftUI, as high as the mail: its parts, of which quotations and signatures fold, and a bar
    /// where pictures aren't shown. Put it into a `ScrollView`.
    ///
    /// The app lists ``MailBodyModel/attachments`` as it likes.
    public struct MailBodyView: View {
        private let model: MailBodyModel
        @Environment(\.openURL) private var openURL

        /// Creates the view of a mail's body.
        public init(_ model: MailBodyModel) {
            self.model = model
        }

        /// The body, or a text in its place.
        public var body: some View {
            VStack(alignment: .leading, spacing: 8) {
                if model.canShowPictures || model.isLoadingPictures || model.picturesError != nil {
                    PictureBar(model: model)
                }
                content
                if model.isTruncated { NoteView(text: model.texts[.mailTruncated]) }
                if model.trackingPixelCount > 0 {
                    NoteView(text: model.texts.counted(.trackersRemoved, model.trackingPixelCount))
                }
            }
            .onViewportChange { model.show(in: $0) }
            .onAppear {
                if model.openURL == nil { model.openURL = { [openURL] url in openURL(url) } }
            }
        }

        @ViewBuilder private var content: some View {
            switch model.state {
            case .loading: ProgressView().accessibilityLabel(model.texts[.loading]).padding()
            case .shown(let parts):
                if parts.isEmpty { NoteView(text: model.texts[.noText]) }
                ForEach(parts) { part in
                    PartView(part: part, model: model)
                }
            case .gone: NoteView(text: model.texts[.messageGone])
            case .failed:
                VStack(spacing: 12) {
                    Text(model.texts[.messageFailed])
                    Button(model.texts[.tryAgain]) { model.retry() }
                }
                .padding()
            }
        }
    }

    /// The bar above a mail with pictures that aren't shown.
    private struct PictureBar: View {
        let model: MailBodyModel

        var body: some View {
            VStack(alignment: .leading, spacing: 8) {
                if model.picturesError != nil { Text(model.texts[.picturesFailed]) }
                if model.isLoadingPictures {
                    ProgressView().accessibilityLabel(model.texts[.loading])
                } else if model.canShowPictures {
                    Text(model.texts.counted(.remotePicturesHidden, model.hiddenPictureCount))
                    Button(model.texts[.showPictures]) { show(.mail) }
                    if model.hasOneSender { Button(model.texts[.alwaysShowPictures]) { show(.sender) } }
                }
            }
            .font(.subheadline)
            .padding()
        }

        private func show(_ permission: MailPictureAccess.Permission) {
            Task { await model.showPictures(permission) }
        }
    }

    /// A part of a mail, and the button that folds it.
    private struct PartView: View {
        let part: MailBodyPart
        let model: MailBodyModel

        var body: some View {
            VStack(alignment: .leading, spacing: 4) {
                if part.canFold {
                    Button(model.texts.folding(part)) { model.toggle(part) }
                        .font(.subheadline)
                        .padding(.horizontal)
                }
                if !part.isFolded { content }
            }
        }

        @ViewBuilder private var content: some View {
            switch part.content {
            case .html(let page):
                HTMLPageView(page) {
                    model.clicked($0, in: part)
                } onFailure: {
                    model.fail($0)
                }
            case .text(let text):
                Text(text).textSelection(.enabled).frame(maxWidth: .infinity, alignment: .leading).padding(.horizontal)
            }
        }
    }

    /// A text about the mail.
    private struct NoteView: View {
        let text: String

        var body: some View {
            Text(text).font(.subheadline).foregroundStyle(.secondary).padding(.horizontal)
        }
    }
#endif
