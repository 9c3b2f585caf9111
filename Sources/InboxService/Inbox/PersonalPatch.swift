import Foundation
import Groundwork
import InboxModel
import JMAP

/// What a client wants to change of a message: the person's dates, and nothing else. It may say beside them whether
/// consent holds.
struct PersonalPatch: Sendable {
    /// New values by place in ``MessageField/personal``, milliseconds or null.
    private var values: [Int: Int?] = [:]
    /// Whether consent holds for the change; nil where the client doesn't say.
    private(set) var consent: Bool?

    /// Reads a patch object (RFC 8620 §5.3).
    ///
    /// - Throws: ``SetError`` `invalidProperties`, which lists all that isn't right, or `invalidPatch`.
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
            guard let place = MessageField.personal.firstIndex(where: { $0.rawValue == member.name }) else {
                invalid.append(member.name)
                continue
            }
            if member.value == .null {
                values[place] = .some(nil)
            } else if let date = try? JSONReader(member.value).date() {
                values[place] = date.milliseconds
            } else {
                invalid.append(member.name)
            }
        }
        guard invalid.isEmpty else {
            let names = MessageField.personal.map(\.rawValue).joined(separator: ", ")
            throw SetError(
                "invalidProperties",
                "Only \(names) may be set, to a UTCDate or null, and consent be stated, as true or false.",
                properties: invalid
            )
        }
    }

    /// The dates with the patch applied, in the order of ``MessageField/personal``.
    func applied(to dates: [Int?]) -> [Int?] {
        dates.indices.map { values[$0] ?? dates[$0] }
    }
}
