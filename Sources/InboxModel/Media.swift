import Groundwork

/// A picture or video that goes with a message.
public struct Media: Hashable, Sendable, Codable {
    /// Where it is, an `http` or `https` URL.
    public var url: String
    /// Where its variant for a dark background is.
    public var darkUrl: String?
    /// What it shows, for those who can't see it; nil or empty where it is mere decoration.
    public var alt: String?

    /// Makes a picture or video; where it is has to be an `http` or `https` URL.
    public init(url: String, darkUrl: String? = nil, alt: String? = nil) {
        self.url = url
        self.darkUrl = darkUrl
        self.alt = alt
    }
}

extension Media {
    /// Reads what a server sent; nil where there is no URL.
    init?(lenient json: JSON) {
        guard let url = json["url"]?.stringValue else { return nil }
        self.init(url: url, darkUrl: json["darkUrl"]?.stringValue, alt: json["alt"]?.stringValue)
    }

    var json: JSON {
        var object = JSONObject([("url", .string(url))])
        object["darkUrl"] = darkUrl.map(JSON.string)
        object["alt"] = alt.map(JSON.string)
        return .object(object)
    }
}
