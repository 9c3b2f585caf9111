#if canImport(SwiftUI)
    import Foundation
    package import InboxCards
    import InboxModel
    package import SwiftUI

    /// An image of a card: from the web, from the app's bundle, or a system symbol. An unavailable image leaves its
    /// space empty.
    package struct ImageView: View {
        let image: ImageElement
        @Environment(\.colorScheme) private var colorScheme
        /// The size of a system symbol, which scales with the text size.
        @ScaledMetric private var symbolSize: CGFloat

        package init(image: ImageElement) {
            self.image = image
            _symbolSize = ScaledMetric(wrappedValue: CGFloat(image.iconFont.size), relativeTo: .body)
        }

        package var body: some View {
            content
                .frame(
                    maxWidth: image.width.map { CGFloat($0) } ?? .infinity,
                    maxHeight: image.maxHeight.map { CGFloat($0) }
                )
                .clipShape(RoundedRectangle(cornerRadius: image.cornerRadius))
                .accessibilityLabel(image.alt ?? "")
                .accessibilityHidden(image.alt == nil)
        }

        @ViewBuilder private var content: some View {
            let media = image.media
            let isDark = colorScheme == .dark
            if let address = media.address, let url = URL(string: isDark ? media.darkURL ?? address : address) {
                AsyncImage(url: url) { phase in
                    if let picture = phase.image { fitted(picture) } else { place(isLoading: phase.error == nil) }
                }
            } else if let name = media.bundle {
                fitted(Image(isDark ? media.darkBundle ?? name : name))
            } else if let symbol = media.icon {
                Image(systemName: symbol).font(Font(image.iconFont, size: symbolSize))
                    .foregroundStyle(Color(image.iconColor))
            }
        }

        private func fitted(_ picture: Image) -> some View {
            picture.resizable().aspectRatio(contentMode: image.contentMode == .fit ? .fit : .fill)
        }

        private func place(isLoading: Bool) -> some View {
            Color(CardColor.placeholder)
                .aspectRatio(1, contentMode: .fit)
                .overlay { if isLoading { ProgressView() } }
        }
    }
#endif
