/// A link of a message, as the page's redirect names it.
package enum MessageLink: Hashable, Sendable {
    /// The message's own link.
    case own(String)
    /// The link of a button.
    case button(id: String, String)
    /// A link in the message's HTML, with its place among the links of the cleaned message.
    case html(index: Int, String)

    /// The link's target.
    package var target: String {
        switch self {
        case .own(let link), .button(_, let link), .html(_, let link): link
        }
    }
}
