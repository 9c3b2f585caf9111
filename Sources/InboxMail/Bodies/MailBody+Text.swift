import Groundwork
import MailComposing

extension MailBody {
    /// The property of a part that contains its complete media type (RFC 8621, section 4.1.3).
    static let contentType = "header:Content-Type"

    /// A text part of a body.
    struct Text: Equatable {
        private let id: String
        let isHTML: Bool
        private let value: String
        private let mediaType: String

        /// Returns nil if the part isn't text, or if the server didn't send its value.
        init?(_ part: JSON, _ values: JSON?) {
            guard let id = part["partId"]?.stringValue, let value = values?[id]?["value"]?.stringValue,
                let type = part["type"]?.stringValue?.lowercased(), type.hasPrefix("text/")
            else { return nil }
            (self.id, self.value, isHTML) = (id, value, type == "text/html")
            mediaType = part[MailBody.contentType]?.stringValue ?? ""
        }

        /// The part as plain text.
        var plain: String { isHTML ? HTMLPlainText.text(of: value, marksQuotations: true) : written }

        /// The part as HTML.
        var html: String {
            guard !isHTML else { return value }
            let escaped = written.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(
                ">",
                with: "&gt;"
            )
            return "<div>\(escaped.replacing("\n", with: "<br>\n"))</div>"
        }

        /// The value with the lines joined that were wrapped for transport. Lines end with line feeds only.
        private var written: String {
            let parameters = FlowedText.parameters(mediaType)
            guard parameters["format"] == "flowed" else { return Self.withLineFeeds(value) }
            return Self.withLineFeeds(FlowedText.joined(value, deletesSpace: parameters["delsp"] == "yes"))
        }

        /// Works on bytes, because comparing characters would take longer than all other processing of a body.
        private static func withLineFeeds(_ text: String) -> String {
            let bytes = Array(text.utf8)
            var kept: [UInt8] = []
            kept.reserveCapacity(bytes.count)
            for (place, byte) in bytes.enumerated() {
                let isEnd =
                    byte == UInt8(ascii: "\r") && place + 1 < bytes.count && bytes[place + 1] == UInt8(ascii: "\n")
                if !isEnd { kept.append(byte) }
            }
            return String(decoding: kept, as: UTF8.self)
        }
    }
}
