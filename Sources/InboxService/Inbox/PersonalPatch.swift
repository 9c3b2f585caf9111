import Foundation
import Groundwork
import InboxModel
import JMAP

/// A client's patch of a message. It changes only the person's dates, and it may state whether consent holds.
struct PersonalPatch: Sendable {
    /// The new values, in milliseconds or null.
    private var values: [MessageField: Int?] = [:]
    /// Whether consent holds for the change; nil if the client doesn't state it.
    private(set) var consent: Bool?

    /// Reads a patch object (RFC 8620 §5.3).
    ///
    /// - Throws: ``SetError`` `invalidProperties`, which lists all invalid properties, or `invalidPatch`.
    init(reading json: JSON) throws(SetError) {
        guard let members = json.objectValue?.members else {
            throw SetError("invalidPatch", "A patch has to be an object.")
        }
        var invalid: [String] = []
        for member in members {
            if member.name == MessageCapability.consent {
                consent = member.value.boolValue
                if consent == nil { invalid.append(member.name) }
                continue
            }
            guard let field = MessageField.personal.first(where: { $0.rawValue == member.name }) else {
                invalid.append(member.name)
                continue
            }
            if member.value == .null {
                values[field] = .some(nil)
            } else if let date = try? JSONReader(member.value).date() {
                values[field] = date.milliseconds
            } else {
                invalid.append(member.name)
            }
        }
        guard invalid.isEmpty else {
            let names = MessageField.personal.map(\.rawValue).joined(separator: ", ")
            throw SetError(
                "invalidProperties",
                "Only \(names) can be set, each to a UTCDate or null, and consent to true or false.",
                properties: invalid
            )
        }
    }

    /// Returns the dates with the patch applied.
    func applied(to dates: PersonalDates) -> PersonalDates {
        PersonalDates { values[$0] ?? dates[$0] }
    }
}
