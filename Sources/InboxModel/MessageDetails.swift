import Groundwork

/// The properties of a message that are decoded from JSON on access.
package struct MessageDetails: Hashable, Sendable {
    package var html: String?
    package var media: Media?
    package var actions: [MessageAction] = []
    package var templateID: String?
    package var consentCategory: String?
    package var additionalData: [String: String] = [:]
    package var campaignID: String?
    package var link: String?
    package var dismissButton: DismissButton?

    /// The source of a message's details: decoded values, or JSON text that is decoded on access. Values are boxed, so
    /// that copying a message is cheap.
    package enum Source: Sendable {
        indirect case decoded(MessageDetails)
        case text([UInt8])
        /// JSON text, with the card's details already decoded.
        indirect case listed(card: MessageDetails, text: [UInt8])

        package var value: MessageDetails {
            switch self {
            case .decoded(let details): details
            case .text(let bytes), .listed(_, let bytes):
                bytes.withUnsafeBufferPointer { MessageDetails(text: $0) }
            }
        }

        /// The details that a card shows. Nothing else is decoded.
        package var cardValue: MessageDetails {
            switch self {
            case .decoded(let details), .listed(let details, _): details
            case .text(let bytes):
                bytes.withUnsafeBufferPointer { MessageDetails(text: $0, names: MessageDetails.cardNames) }
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
        // Nothing is decoded where the texts are equal.
        if let left = lhs.text, let right = rhs.text, left == right { return true }
        return lhs.value == rhs.value
    }

    private var text: [UInt8]? {
        switch self {
        case .decoded: nil
        case .text(let text), .listed(_, let text): text
        }
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(value)
    }
}
