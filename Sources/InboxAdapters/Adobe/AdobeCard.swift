public import Foundation
public import InboxModel
package import Groundwork

/// A content card of Adobe Journey Optimizer: what an item of the schema `content-card` says.
///
/// A card is read where its template can show it; a part that the template can do without, and that makes no sense,
/// takes no other with it.
public struct AdobeCard: Hashable, Sendable {
    /// How a card's parts lie.
    public enum Template: String, Hashable, Sendable, CaseIterable {
        /// A small picture beside the texts; needs a title.
        case smallImage = "SmallImage"
        /// A large picture above the texts; needs a title.
        case largeImage = "LargeImage"
        /// A picture alone; needs one.
        case imageOnly = "ImageOnly"
    }

    /// How its parts lie.
    public let template: Template
    /// The headline.
    public let title: String?
    /// The text.
    public let body: String?
    /// The picture.
    public let image: Media?
    /// Where a tap on the card leads.
    public let actionUrl: String?
    /// The buttons, in their order, each with its `interactId` as id.
    public let buttons: [MessageAction]
    /// What sends the card away.
    public let dismissButton: DismissButton
    /// When it was published; nil where nothing says so.
    public let publishedDate: Date?
    /// When it ceases to be shown; nil for never.
    public let expiryDate: Date?
    /// As it came.
    let members: JSONObject
    let content: JSONObject
    /// Where each button was, for errors.
    let buttonPlaces: [JSONPointer]

    static let contentType = "application/json"

    /// Reads the JSON of an item's `data`.
    ///
    /// - Throws: ``AdapterError`` where a part is missing that every card or its template needs, `content` isn't of the
    ///   type that `contentType` says, the template isn't known, or a date is no number.
    public init(data: Data) throws(AdapterError) {
        try self.init(reading: JSONReader(parsing: data))
    }

    /// Reads an item's `data`; errors name its place in the document.
    package init(reading reader: JSONReader) throws(AdapterError) {
        members = try reader.members()
        let type = try reader.needed("contentType")
        let typeName = try type.neededText()
        let inside = try reader.needed("content")
        guard typeName == Self.contentType else {
            _ = try inside.neededText()
            throw AdapterError(.unknownKind, at: type.pointer, "has to be \(Self.contentType) for there to be a card")
        }
        guard let content = inside.value.objectValue else { throw inside.wrongType("an object") }
        self.content = content
        template = try Self.template(reader)
        publishedDate = try reader.adobeTime("publishedDate")
        expiryDate = try reader.adobeTime("expiryDate")

        title = inside.member("title")?.adobeText()
        body = inside.member("body")?.adobeText()
        image = inside.member("image")?.adobeImage
        actionUrl = inside.member("actionUrl")?.value.stringValue.flatMap { $0.isEmpty ? nil : $0 }
        let buttons = inside.member("buttons")?.adobeButtons ?? []
        (self.buttons, buttonPlaces) = (buttons.map(\.action), buttons.map(\.place))
        dismissButton =
            switch inside.member("dismissBtn")?.value["style"]?.stringValue {
            case "simple": .simple
            case "circle": .circle
            default: .none
            }
        switch template {
        case .smallImage, .largeImage:
            guard title != nil else {
                throw AdapterError(.missing, at: inside.pointer / "title", "has to have a content that isn't empty")
            }
        case .imageOnly:
            guard image != nil else {
                throw AdapterError(.missing, at: inside.pointer / "image", "has to have a url, a bundle or an icon")
            }
        }
    }

    private static func template(_ reader: JSONReader) throws(AdapterError) -> Template {
        let name = reader.value["meta"]?["adobe"]?["template"]?.stringValue
        guard let template = name.flatMap(Template.init(rawValue:)) else {
            let names = Template.allCases.map(\.rawValue).joined(separator: ", ")
            throw AdapterError(
                .unknownKind,
                at: reader.pointer / "meta" / "adobe" / "template",
                "has to be one of \(names)"
            )
        }
        return template
    }
}

extension JSONReader {
    /// A date in seconds since 1970; 0 says none.
    fileprivate func adobeTime(_ name: String) throws(AdapterError) -> Date? {
        let time = try time(name, per: 1, "seconds")
        return time == Date(timeIntervalSince1970: 0) ? nil : time
    }
}
