package import Replica

extension RecordType {
    /// The address books of the account (RFC 9610, section 2). Cards that are only in books to which the person isn't
    /// subscribed aren't shown.
    package static let addressBook = RecordType(
        name: "AddressBook",
        capability: MailCapability.contacts,
        table: "addressBook",
        columns: [
            RecordColumn("name", .text, missing: .text("")),
            RecordColumn("isSubscribed", .bool, missing: .integer(1)),
        ],
        window: .all,
        isOptional: true,
        properties: ["id", "name", "isSubscribed"],
        repeatDetection: .byComparing
    )

    /// All cards in the address books (RFC 9610, section 3).
    package static let contactCard = RecordType(
        name: "ContactCard",
        capability: MailCapability.contacts,
        table: "contactCard",
        columns: [RecordColumn("addressBookIds", .members, missing: .text("[]"))],
        window: .everything(sort: .null),
        isOptional: true,
        // Without properties that can be large, such as pictures.
        properties: [
            "id", "uid", "kind", "name", "nicknames", "organizations", "emails", "members", "addressBookIds",
        ],
        repeatDetection: .byComparing,
        schema: CardTables.schema + CardTables.triggers(.card, table: "contactCard"),
        // The cards of all three types are read here, since the triggers of all types have run before.
        derive: { writer in try writer.readChangedCards() },
        derivedFrom: ["changedCard"]
    )

    /// The people in the address books of a Cyrus without RFC 9610.
    package static let cyrusContact = RecordType(
        name: "Contact",
        capability: MailCapability.cyrusContacts,
        table: "cyrusContact",
        columns: [],
        window: .everything(sort: .null),
        isOptional: true,
        replacedBy: MailCapability.contacts,
        properties: ["id", "prefix", "firstName", "lastName", "suffix", "nickname", "company", "emails"],
        repeatDetection: .byComparing,
        schema: CardTables.triggers(.cyrusContact, table: "cyrusContact")
    )

    /// The groups in the address books of a Cyrus without RFC 9610.
    package static let cyrusGroup = RecordType(
        name: "ContactGroup",
        capability: MailCapability.cyrusContacts,
        table: "cyrusGroup",
        columns: [],
        window: .all,
        isOptional: true,
        replacedBy: MailCapability.contacts,
        properties: ["id", "name", "contactIds"],
        repeatDetection: .byComparing,
        schema: CardTables.triggers(.cyrusGroup, table: "cyrusGroup")
    )

    /// The groups of the address books, with the addresses of their members, derived from their cards.
    package static let contactGroup = RecordType(
        name: "MailContactGroup",
        capability: MailCapability.mail,
        table: "contactGroup",
        columns: [
            RecordColumn("name", .text, missing: .invalid),
            RecordColumn("memberCount", .integer, missing: .integer(0)),
        ],
        indexes: ["name, \(RecordTable.id)"],
        window: .derived,
        schema: ContactGroupIndex.schema,
        derive: { writer in try writer.deriveContactGroups() },
        derivedFrom: ["changedCardGroup"]
    )
}
