public import Foundation
import InboxClient
import InboxModel
package import InboxViews

/// A picture as a screen shows it: square, filled by the picture, whose edges are cut off.
public struct AppInboxPicture: Hashable, Sendable {
    /// The origin of the picture.
    public enum Source: Hashable, Sendable {
        /// The web.
        case web(URL)
        /// The app, by its name.
        case bundle(String)
        /// The system's symbols, by its name.
        case symbol(String)
        /// There is none. A gray placeholder is in its place.
        case placeholder
    }

    /// The origin of the picture.
    public var source: Source
    /// The origin of the picture in dark mode.
    public var darkSource: Source
    /// The width divided by the height: 1, a square.
    public let aspectRatio = 1.0
    /// Whether it is shown.
    public var isVisible: Bool
    /// The color behind the picture; nil for the default one.
    public var backgroundColor: AppInboxColor?
    /// The text for people who can't see it; nil for a decorative picture.
    public var alternativeText: String?
    private let loader: Loader?

    /// The inbox that loads pictures from the web. Loaders of one inbox are equal.
    private struct Loader: Hashable, Sendable {
        let inbox: Inbox

        static func == (first: Loader, second: Loader) -> Bool { first.inbox === second.inbox }

        func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(inbox)) }
    }

    /// Returns a model that loads the picture from the web as native cards do: by the inbox's transport, once for all
    /// views, from the device where it was loaded before, and again after a failure. Nil before there is an inbox.
    @MainActor
    package func makeModel() -> PictureModel? { loader.map { PictureModel($0.inbox) } }

    init(_ media: Media?, _ appearance: AppInboxImageAppearance, of inbox: Inbox?) {
        loader = inbox.map(Loader.init)
        source = Self.source(media?.url, media?.bundle, media?.icon)
        darkSource = Self.source(media?.darkURL ?? media?.url, media?.darkBundle ?? media?.bundle, media?.icon)
        isVisible = appearance.isVisible
        backgroundColor = appearance.backgroundColor
        alternativeText = media?.alt.flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func source(_ address: String?, _ bundle: String?, _ icon: String?) -> Source {
        if let address, !address.isEmpty {
            guard LinkScheme(of: address)?.isWeb == true, let url = URL(string: address) else { return .placeholder }
            return .web(url)
        }
        if let bundle { return .bundle(bundle) }
        if let icon { return .symbol(icon) }
        return .placeholder
    }
}
