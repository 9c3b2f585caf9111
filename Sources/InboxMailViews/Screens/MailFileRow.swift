#if canImport(SwiftUI)
    import Foundation
    import InboxCards
    import InboxMail
    import InboxViews
    public import SwiftUI
    #if canImport(QuickLook)
        import QuickLook
    #endif

    /// A file of a mail in a list: its name and size, the progress of its download, its preview, and the button that
    /// hands it to another app.
    public struct MailFileRow: View {
        private let model: MailFileModel
        @Environment(\.inboxTexts) private var texts

        /// Creates a row for a file.
        ///
        /// - Parameter model: The state of the file.
        public init(model: MailFileModel) { self.model = model }

        /// The row.
        public var body: some View {
            HStack(spacing: 12) {
                Image(systemName: model.file.symbol).accessibilityHidden(true)
                VStack(alignment: .leading, spacing: 2) {
                    Text(name).font(.subheadline).lineLimit(2)
                    Text(detail).font(.footnote).foregroundStyle(.secondary)
                }
                Spacer(minLength: 8)
                control
            }
            .contentShape(Rectangle())
            .onTapGesture { Task { await model.open() } }
            .padding(.all, 12)
            .background { RoundedRectangle(cornerRadius: 10).fill(Color.secondary.opacity(0.15)) }
            .padding(.horizontal)
            .accessibilityElement(children: .contain)
            .preview(of: model)
        }

        private var name: String { model.file.name ?? texts[.files] }

        private var detail: String {
            if case .failed = model.state { return texts[.downloadFailed] }
            return texts.size(model.file.size)
        }

        @ViewBuilder private var control: some View {
            switch model.state {
            case .remote:
                Button(texts[.download], systemImage: "arrow.down.circle") { Task { await model.download() } }
                    .accessibilityLabel("\(texts[.download]): \(name)")
            case .downloading(let fraction):
                ProgressView(value: fraction)
                    .frame(width: 80)
                    .accessibilityLabel("\(texts[.downloading]) \(name)")
                Button(texts[.cancel]) { model.cancel() }
            case .failed:
                Button(texts[.tryAgain]) { Task { await model.download() } }
            case .stored(let url):
                if model.canPreview {
                    Button(texts[.open]) { Task { await model.open() } }
                        .accessibilityLabel("\(texts[.open]): \(name)")
                }
                ShareLink(item: url) {
                    Image(systemName: "square.and.arrow.up").accessibilityLabel("\(texts[.share]): \(name)")
                }
            }
        }
    }

    extension View {
        /// The system's preview of a file, where there is one.
        @MainActor @ViewBuilder fileprivate func preview(of model: MailFileModel) -> some View {
            #if canImport(QuickLook)
                quickLookPreview(Binding(get: { model.preview }, set: { model.preview = $0 }))
            #else
                self
            #endif
        }
    }
#endif
