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

    /// Where the details come from: values, or the message's JSON text, read when asked for.
    package enum Source: Sendable {
        case decoded(MessageDetails)
        case text([UInt8])

        var value: MessageDetails {
            switch self {
            case .decoded(let details): details
            case .text(let bytes): MessageDetails(lenient: (try? JSON(parsing: bytes)) ?? .null)
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
