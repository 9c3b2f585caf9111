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

        package var value: MessageDetails {
            switch self {
            case .decoded(let details): details
            case .text(let bytes): MessageDetails(lenient: (try? JSON(parsing: bytes)) ?? .null)
            }
        }

        /// The details that a card has; nothing else is decoded.
        package var cardValue: MessageDetails {
            switch self {
            case .decoded(let details): details
            case .text(let bytes): MessageDetails(lenient: .object(Self.members(of: bytes, for: Self.cardFields)))
            }
        }

        private static let cardFields = Set(
            [MessageField.media, .actions, .templateId, .link, .dismissButton].map(\.rawValue)
        )

        private static func members(of bytes: [UInt8], for names: Set<String>) -> JSONObject {
            bytes.withUnsafeBufferPointer { buffer in
                var scanner = JSONScanner(buffer)
                var object = JSONObject()
                do {
                    guard try scanner.peek() == .object else { return object }
                    try scanner.beginObject()
                    var isFirst = true
                    while let range = try scanner.nextName(first: isFirst) {
                        isFirst = false
                        let name = scanner.text(range)
                        if names.contains(name) {
                            object.add(name, try JSON(reading: &scanner))
                        } else {
                            _ = try scanner.skipValue()
                        }
                    }
                    return object
                } catch {
                    return JSONObject()
                }
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
