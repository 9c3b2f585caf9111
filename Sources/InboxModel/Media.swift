package import Groundwork

/// A picture or video that goes with a message.
///
/// It is somewhere on the web, or one of the app's own: of ``url``, ``bundle`` and ``icon`` the first that is there
/// counts.
public struct Media: Hashable, Sendable {
    /// Where it is, an `http` or `https` URL; empty where it is one of the app's own pictures.
    public var url: String
    /// Where its variant for a dark background is.
    public var darkUrl: String?
    /// The name of a picture in the app.
    public var bundle: String?
    /// The name of its variant for a dark background.
    public var darkBundle: String?
    /// The name of a symbol of the system, such as `tray.fill`.
    public var icon: String?
    /// What it shows, for those who can't see it; nil or empty where it is mere decoration.
    public var alt: String?

    /// Makes a picture or video; where it is has to be an `http` or `https` URL.
    public init(
        url: String = "",
        darkUrl: String? = nil,
        bundle: String? = nil,
        darkBundle: String? = nil,
        icon: String? = nil,
        alt: String? = nil
    ) {
        self.url = url
        self.darkUrl = darkUrl
        self.bundle = bundle
        self.darkBundle = darkBundle
        self.icon = icon
        self.alt = alt
    }

    /// ``url``, where it is on the web; nil where it is one of the app's own pictures.
    public var address: String? { url.isEmpty ? nil : url }

    /// Whether nothing says which picture it is.
    package var isEmpty: Bool { url.isEmpty && bundle == nil && icon == nil }
}

/// Media encode as their JSON object.
extension Media: Codable {
    /// Reads the JSON object.
    ///
    /// - Throws: `DecodingError` where nothing says which picture it is.
    public init(from decoder: any Decoder) throws {
        guard let media = Media(lenient: try JSON(from: decoder)) else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription: "needs one of url, bundle, icon"
                )
            )
        }
        self = media
    }

    /// Writes the JSON object, what isn't there left out.
    public func encode(to encoder: any Encoder) throws {
        try json.encode(to: encoder)
    }
}

extension Media {
    /// Reads what a server sent; nil where nothing says which picture it is.
    init?(lenient json: JSON) {
        func text(_ name: String) -> String? { json[name]?.stringValue.flatMap { $0.isEmpty ? nil : $0 } }
        self.init(
            url: text("url") ?? "",
            darkUrl: text("darkUrl"),
            bundle: text("bundle"),
            darkBundle: text("darkBundle"),
            icon: text("icon"),
            alt: json["alt"]?.stringValue
        )
        if isEmpty { return nil }
    }

    package var json: JSON {
        var object = JSONObject()
        object["url"] = url.isEmpty ? nil : .string(url)
        object["darkUrl"] = darkUrl.map(JSON.string)
        object["bundle"] = bundle.map(JSON.string)
        object["darkBundle"] = darkBundle.map(JSON.string)
        object["icon"] = icon.map(JSON.string)
        object["alt"] = alt.map(JSON.string)
        return .object(object)
    }
}
