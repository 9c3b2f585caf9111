import Groundwork

// The types of Cyrus from before RFC 9610, in whose capability's name it documents them.
extension ContactCard {
    /// Reads a `Contact` of Cyrus: a person or a company.
    init(cyrusContact contact: JSON) {
        func text(_ name: String) -> String? {
            contact[name]?.stringValue.flatMap { text in text.contains { !$0.isWhitespace } ? text : nil }
        }
        let parts = ["prefix", "firstName", "lastName", "suffix"].compactMap(text)
        let addresses = (contact["emails"]?.arrayValue ?? []).prefix(Self.maxEmails)
        func emails(isDefault: Bool) -> [String] {
            addresses.filter { ($0["isDefault"]?.boolValue == true) == isDefault }.compactMap {
                $0["value"]?.stringValue
            }
        }
        self.init(
            // Groups name their members by id.
            uid: contact["id"]?.stringValue ?? "",
            name: parts.isEmpty ? text("nickname") ?? text("company") : parts.joined(separator: " "),
            emails: emails(isDefault: true) + emails(isDefault: false),
            members: nil
        )
    }

    /// Reads a `ContactGroup` of Cyrus.
    init(cyrusGroup group: JSON) {
        let members = (group["contactIds"]?.arrayValue ?? []).prefix(Self.maxMembers).compactMap(\.stringValue)
        self.init(uid: group["id"]?.stringValue ?? "", name: group["name"]?.stringValue, emails: [], members: members)
    }

    private init(uid: String, name: String?, emails: [String], members: [String]?) {
        (self.uid, self.name, self.emails, self.members) = (uid, name, emails, members)
    }
}
