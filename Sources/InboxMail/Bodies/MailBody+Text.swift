import Groundwork

extension MailBody {
    /// The property of a part that has its whole media type (RFC 8621 §4.1.3).
    static let contentType = "header:Content-Type"

    /// A part of a mail that is to be read.
    struct Text: Equatable {
        private let id: String
        let isHTML: Bool
        private let value: String
        private let mediaType: String

        /// Nil where it isn't text, or the server didn't send it.
        init?(_ part: JSON, _ values: JSON?) {
            guard let id = part["partId"]?.stringValue, let value = values?[id]?["value"]?.stringValue,
                let type = part["type"]?.stringValue?.lowercased(), type.hasPrefix("text/")
            else { return nil }
            (self.id, self.value, isHTML) = (id, value, type == "text/html")
            mediaType = part[MailBody.contentType]?.stringValue ?? ""
        }

        /// To be shown as text.
        var plain: String { isHTML ? HTMLText.plain(value, marksQuotations: true) : written }

        /// To be shown as HTML.
        var html: String {
            guard !isHTML else { return value }
            let escaped = written.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(
                ">",
                with: "&gt;"
            )
            return "<div>\(escaped.replacing("\n", with: "<br>\n"))</div>"
        }

        /// As it was written, where its lines were broken for the way; they end with line feeds alone.
        private var written: String {
            let parameters = FlowedText.parameters(mediaType)
            guard parameters["format"] == "flowed" else { return Self.withLineFeeds(value) }
            return Self.withLineFeeds(FlowedText.joined(value, deletesSpace: parameters["delsp"] == "yes"))
        }

        /// By bytes: to look for characters would take longer than all else about a body.
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
