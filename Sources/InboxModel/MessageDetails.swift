import Groundwork

/// The properties of a message that lists seldom show.
package struct MessageDetails: Hashable, Sendable {
    package var html: String?
    package var media: Media?
    package var actions: [MessageAction] = []
    package var templateId: String?
    package var consentCategory: String?
    package var additionalData: [String: String] = [:]
    package var campaignId: String?
    package var link: String?
    package var dismissButton: DismissButton?

    /// Where the details come from: values, or the message's JSON text, read when asked for. Values lie apart, so that
    /// a message is copied at little cost.
    package enum Source: Sendable {
        indirect case decoded(MessageDetails)
        case text([UInt8])
        /// The text, of which the details that a card has were read.
        indirect case listed(card: MessageDetails, text: [UInt8])

        package var value: MessageDetails {
            switch self {
            case .decoded(let details): details
            case .text(let bytes), .listed(_, let bytes):
                MessageDetails(lenient: (try? JSON(parsing: bytes)) ?? .null)
            }
        }

        /// The details that a card has; nothing else is decoded.
        package var cardValue: MessageDetails {
            switch self {
            case .decoded(let details), .listed(let details, _): details
            case .text(let bytes): bytes.withUnsafeBufferPointer { MessageDetails(cardOf: $0) }
            }
        }

        mutating func change(_ body: (inout MessageDetails) -> Void) {
            var details = value
            body(&details)
            self = .decoded(details)
        }
    }
}

extension MessageDetails.Source: Hashable {
    package static func == (lhs: Self, rhs: Self) -> Bool {
        if case .text(let left) = lhs, case .text(let right) = rhs, left == right { return true }
        return lhs.value == rhs.value
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(value)
    }
}
