import Foundation
import Groundwork

/// The part of a card in a server's address book that contacts need, whichever type of record it is.
struct ContactCard: Hashable {
    /// The id by which groups name their members.
    let uid: String
    /// The name to show, as the server has it; nil if there is none.
    let name: String?
    /// The addresses, the preferred one first.
    let emails: [String]
    /// The ``uid`` of each member; nil if it isn't a group.
    let members: [String]?

    /// The maximum number of addresses of a card that are read.
    static let maxEmails = 100
    /// The maximum number of members of a group that are read.
    static let maxMembers = 1_000

    /// Reads a `ContactCard` of RFC 9610: a JSContact card (RFC 9553) with an id.
    init(jsContact card: JSON) {
        uid = card["uid"]?.stringValue ?? card["id"]?.stringValue ?? ""
        name = JSContactName.text(of: card)
        let addresses = (card["emails"]?.objectValue?.members ?? []).prefix(Self.maxEmails).enumerated()
            .compactMap { place, member -> (email: String, preference: Int, place: Int)? in
                guard let email = member.value["address"]?.stringValue else { return nil }
                // 1 is the most preferred one, 100 the least (RFC 9553, section 1.5.3).
                return (email, member.value["pref"]?.intValue ?? Int.max, place)
            }
        emails = addresses.sorted { ($0.preference, $0.place) < ($1.preference, $1.place) }.map(\.email)
        if card["kind"]?.stringValue == "group" {
            let all = card["members"]?.objectValue?.members ?? []
            let uids = all.filter { $0.value == .bool(true) && !$0.name.isEmpty }.map(\.name)
            members = Array(uids.prefix(Self.maxMembers))
        } else {
            members = nil
        }
    }
}

/// The name of a JSContact card (RFC 9553, section 2.2).
private enum JSContactName {
    /// Returns the name of a person, else the first nickname, else the first organization.
    static func text(of card: JSON) -> String? {
        func first(_ property: String) -> String? {
            card[property]?.objectValue?.members.lazy.compactMap { $0.value["name"]?.stringValue.flatMap(nonempty) }
                .first
        }
        return card["name"].flatMap(ofPerson) ?? first("nicknames") ?? first("organizations")
    }

    private static func ofPerson(_ name: JSON) -> String? {
        if let full = name["full"]?.stringValue.flatMap(nonempty) { return full }
        let components = (name["components"]?.arrayValue ?? []).prefix(50).compactMap { component in
            component["value"]?.stringValue.map { (kind: component["kind"]?.stringValue ?? "", value: $0) }
        }
        guard name["isOrdered"]?.boolValue == true else {
            // Their order doesn't matter, so the usual one is used.
            let kinds = ["title", "given", "given2", "surname", "surname2", "generation", "credential"]
            return nonempty(
                kinds.flatMap { kind in components.filter { $0.kind == kind }.map(\.value) }.joined(separator: " ")
            )
        }
        // Between two components is the separator that stands there, else the default one.
        let usual = name["defaultSeparator"]?.stringValue ?? " "
        var (text, separator): (String, String?) = ("", "")
        for component in components {
            if component.kind == "separator" {
                separator = component.value
            } else {
                text += (separator ?? usual) + component.value
                separator = nil
            }
        }
        return nonempty(text)
    }

    private static func nonempty(_ text: String) -> String? {
        text.contains { !$0.isWhitespace } ? text : nil
    }
}
