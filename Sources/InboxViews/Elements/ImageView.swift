#if canImport(SwiftUI)
    import Foundation
    package import InboxCards
    import InboxModel
    package import SwiftUI

    /// An image of a card: from the web, from the app's bundle, or a system symbol. An unavailable image leaves its
    /// space empty.
    ///
    /// A picture from the web takes the same space before it is there and after, so that a list doesn't jump. It is
    /// loaded by the environment's inbox; without one the space stays empty.
    package struct ImageView: View {
        let image: ImageElement
        /// Whether the space takes the shape of the picture once that is there, as on a screen of its own.
        let adoptsShape: Bool
        @Environment(\.colorScheme) private var colorScheme
        /// The size of a system symbol, which scales with the text size.
        @ScaledMetric private var symbolSize: CGFloat

        package init(image: ImageElement, adoptsShape: Bool = false) {
            (self.image, self.adoptsShape) = (image, adoptsShape)
            _symbolSize = ScaledMetric(wrappedValue: CGFloat(image.iconFont.size), relativeTo: .body)
        }

        package var body: some View {
            content
                .frame(
                    maxWidth: image.width.map { CGFloat($0) } ?? .infinity,
                    maxHeight: image.maxHeight.map { CGFloat($0) }
                )
                .clipShape(RoundedRectangle(cornerRadius: image.cornerRadius))
        }

        @ViewBuilder private var content: some View {
            let media = image.media
            let isDark = colorScheme == .dark
            if let address = image.address(isDark: isDark) {
                WebPicture(address: address, image: image, adoptsShape: adoptsShape)
            } else if let name = media.bundle {
                Image(isDark ? media.darkBundle ?? name : name).fitted(image).described(by: image)
            } else if let symbol = media.icon {
                Image(systemName: symbol).font(Font(image.iconFont, size: symbolSize))
                    .foregroundStyle(Color(image.iconColor))
                    .described(by: image)
            }
        }
    }

    extension View {
        /// Sets the accessibility label of an image to its text; an image without one is hidden from screen readers.
        fileprivate func described(by image: ImageElement) -> some View {
            accessibilityElement(children: .ignore)
                .accessibilityLabel(image.alt ?? "")
                .accessibilityHidden(image.alt == nil)
        }
    }

    /// A picture from the web, in a space whose shape is known before the picture is.
    private struct WebPicture: View {
        let address: String
        let image: ImageElement
        let adoptsShape: Bool
        @Environment(\.inbox) private var inbox
        @Environment(\.inboxTexts) private var texts
        @Environment(\.displayScale) private var displayScale
        @State private var cache = ModelCache<PictureModel>()
        @State private var size = CGSize.zero

        var body: some View {
            let picture = picture
            Color(picture == nil ? CardColor.placeholder : CardColor.clear)
                .aspectRatio(
                    CGFloat(image.reservedRatio(of: adoptsShape ? picture?.aspectRatio : nil)),
                    contentMode: .fit
                )
                .described(by: image)
                .overlay { content.accessibilityHidden(!isWaiting) }
                .onGeometryChange(for: CGSize.self) { geometry in
                    geometry.size
                } action: { new in
                    size = new
                    show()
                }
                .onChange(of: address) { _, _ in show() }
                .onAppear { show() }
                .onDisappear { model?.hide() }
        }

        private var model: PictureModel? {
            cache.follow(inbox) { PictureModel($0) }
            return cache.model
        }

        /// Whether the person can have the picture tried again: a screen reader finds the button beside the text.
        private var isWaiting: Bool { if case .waiting = model?.state { true } else { false } }

        private var picture: DecodedPicture? {
            if case .shown(let picture) = model?.state { picture } else { nil }
        }

        @ViewBuilder private var content: some View {
            if let model {
                switch model.state {
                case .loading: ProgressView().accessibilityLabel(texts[.loading])
                case .shown(let picture): Image(picture).fitted(image)
                case .waiting:
                    Button {
                        model.retry()
                    } label: {
                        Image(systemName: "arrow.clockwise")
                            .foregroundStyle(.secondary)
                            .frame(minWidth: 44, minHeight: 44)
                            .contentShape(Rectangle())
                    }
                    .buttonStyle(.plain)
                    .accessibilityLabel(texts[.tryAgain])
                case .broken: broken
                }
            }
        }

        /// The picture's text in its place.
        private var broken: some View {
            VStack(spacing: 4) {
                Image(systemName: "photo")
                if let alt = image.alt { Text(alt).font(.footnote).lineLimit(2) }
            }
            .foregroundStyle(.secondary)
            .padding(.all, 4)
        }

        private func show() {
            guard size.width > 0, size.height > 0 else { return }
            let frame = PictureDisplaySize(
                width: Double(size.width),
                height: Double(size.height),
                scale: Double(displayScale),
                fills: image.contentMode == .fill
            )
            model?.show(address, in: frame)
        }
    }

    extension Image {
        fileprivate init(_ picture: DecodedPicture) {
            #if canImport(ImageIO)
                self.init(decorative: picture.image, scale: 1)
            #else
                self.init(systemName: "photo")
            #endif
        }

        @MainActor
        fileprivate func fitted(_ image: ImageElement) -> some View {
            resizable().aspectRatio(contentMode: image.contentMode == .fit ? .fit : .fill)
        }
    }
#endif
