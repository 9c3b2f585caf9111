package import Groundwork

/// An image or a video of a message.
///
/// It is a web address, an image in the app, or a system symbol: the first of ``url``, ``bundle`` and ``icon`` that is
/// set.
public struct Media: Hashable, Sendable {
    /// The `http` or `https` URL. Empty for an image in the app or a symbol.
    public var url: String
    /// The URL of the variant for dark mode.
    public var darkURL: String?
    /// The name of an image in the app.
    public var bundle: String?
    /// The name of the image's variant for dark mode.
    public var darkBundle: String?
    /// The name of a system symbol, such as `tray.fill`.
    public var icon: String?
    /// The alternative text for people who can't see the image. Nil or empty for a decorative image.
    public var alt: String?
    /// The picture's width in pixels. With ``height`` it determines the space that is reserved until the picture is
    /// loaded.
    public var width: Int?
    /// The picture's height in pixels.
    public var height: Int?

    /// Creates an image or a video.
    ///
    /// - Parameters:
    ///   - url: An `http` or `https` URL. Empty for an image in the app or a symbol.
    ///   - darkURL: The URL of the variant for dark mode.
    ///   - bundle: The name of an image in the app.
    ///   - darkBundle: The name of the image's variant for dark mode.
    ///   - icon: The name of a system symbol.
    ///   - alt: The alternative text.
    ///   - width: The picture's width in pixels.
    ///   - height: The picture's height in pixels.
    public init(
        url: String = "",
        darkURL: String? = nil,
        bundle: String? = nil,
        darkBundle: String? = nil,
        icon: String? = nil,
        alt: String? = nil,
        width: Int? = nil,
        height: Int? = nil
    ) {
        self.url = url
        self.darkURL = darkURL
        self.bundle = bundle
        self.darkBundle = darkBundle
        self.icon = icon
        self.alt = alt
        self.width = width
        self.height = height
    }

    /// The ``url``, or nil for an image in the app or a symbol.
    public var address: String? { url.isEmpty ? nil : url }

    /// The width divided by the height, from 0.1 to 10; nil if either isn't known.
    public var aspectRatio: Double? {
        guard let width, let height, width > 0, height > 0 else { return nil }
        return min(max(Double(width) / Double(height), 0.1), 10)
    }

    /// Whether neither URL, image nor symbol is set.
    package var isEmpty: Bool { url.isEmpty && bundle == nil && icon == nil }
}

/// Media are encoded as their JSON object.
extension Media: Codable {
    /// Decodes the JSON object.
    ///
    /// - Throws: `DecodingError` if neither URL, image nor symbol is set.
    public init(from decoder: any Decoder) throws {
        guard let media = Media(json: try JSON(from: decoder)) else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription: "needs one of url, bundle, icon"
                )
            )
        }
        self = media
    }

    /// Encodes the JSON object without absent members.
    ///
    /// - Throws: The encoder's errors.
    public func encode(to encoder: any Encoder) throws {
        try json.encode(to: encoder)
    }
}

extension Media {
    package var json: JSON {
        var object = JSONObject()
        object["url"] = url.isEmpty ? nil : .string(url)
        object["darkUrl"] = darkURL.map(JSON.string)
        object["bundle"] = bundle.map(JSON.string)
        object["darkBundle"] = darkBundle.map(JSON.string)
        object["icon"] = icon.map(JSON.string)
        object["alt"] = alt.map(JSON.string)
        object["width"] = width.map { JSON($0) }
        object["height"] = height.map { JSON($0) }
        return .object(object)
    }
}
