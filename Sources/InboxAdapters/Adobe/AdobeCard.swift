public import Foundation
public import InboxModel
package import Groundwork

/// A content card of Adobe Journey Optimizer: the data of an item with the schema `content-card`.
///
/// A card is valid if its template can show it. An invalid part that the template doesn't require is ignored.
public struct AdobeCard: Hashable, Sendable {
    /// The layout of a card's parts.
    public enum Template: String, Hashable, Sendable, CaseIterable {
        /// A small image next to the texts. It requires a title.
        case smallImage = "SmallImage"
        /// A large image above the texts. It requires a title.
        case largeImage = "LargeImage"
        /// An image alone. It requires an image.
        case imageOnly = "ImageOnly"
    }

    /// The layout.
    public let template: Template
    /// The headline.
    public let title: String?
    /// The text.
    public let body: String?
    /// The image.
    public let image: Media?
    /// The target of a tap on the card. Nil if a message can't have it, such as an address without a scheme.
    public let actionUrl: String?
    /// The buttons in their original order, without those that a message can't have. Their ids are the `interactId`
    /// values. One that another button has is numbered, as in `id.2`.
    public let buttons: [MessageAction]
    /// The style of the dismiss button.
    public let dismissButton: DismissButton
    /// The time of publication, or nil if it is unknown.
    public let publishedDate: Date?
    /// The time at which the card expires, or nil if it never does.
    public let expiryDate: Date?
    /// The original members.
    let members: JSONObject
    let content: JSONObject

    static let contentType = "application/json"

    /// Parses the JSON of an item's `data`.
    ///
    /// - Throws: ``AdapterError`` if a part is missing that every card or its template requires, if `content` doesn't
    ///   have the type that `contentType` states, if the template is unknown, or if a date isn't a number.
    public init(data: Data) throws(AdapterError) {
        try self.init(reading: JSONReader(parsing: data))
    }

    /// Reads an item's `data`. Errors contain the location in the document.
    package init(reading reader: JSONReader) throws(AdapterError) {
        members = try reader.members()
        let type = try reader.requiredMember("contentType")
        let typeName = try type.requiredText()
        let inside = try reader.requiredMember("content")
        guard typeName == Self.contentType else {
            _ = try inside.requiredText()
            throw AdapterError(.unknownKind, at: type.pointer, "has to be \(Self.contentType) for there to be a card")
        }
        guard let content = inside.value.objectValue else { throw inside.wrongType("an object") }
        self.content = content
        template = try Self.template(reader)
        publishedDate = try reader.time("publishedDate", per: 1, "seconds")
        expiryDate = try reader.time("expiryDate", per: 1, "seconds")

        title = inside.member("title")?.adobeText()
        body = inside.member("body")?.adobeText()
        image = inside.member("image")?.adobeImage
        actionUrl = inside.member("actionUrl")?.value.stringValue
            .flatMap { $0.isEmpty || !MessageAction.accepts(link: $0) ? nil : $0 }
        buttons = inside.member("buttons")?.adobeButtons ?? []
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
