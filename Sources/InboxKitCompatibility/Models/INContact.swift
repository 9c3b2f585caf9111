public import InboxMail

/// A person, by address. All mails that name the address share one object, which is updated in place.
///
/// Its values come from the mails on this device.
public final class INContact: INModelObject, INRecordObject {
    /// The type over which predicates and sort descriptors are written.
    public typealias Record = MailContact

    private let live: LiveObject<MailContact>

    init(_ live: LiveObject<MailContact>, in namespace: INNamespace) {
        self.live = live
        super.init(id: live.id, in: namespace)
        observe(live)
    }

    /// The contact in its current or last known state, with properties that InboxKit doesn't have.
    public var value: MailContact { live.value }
    /// Whether the account has written to the person or heard from them, in a mail on this device. Lists, automated
    /// senders and the account's own addresses have objects too, without data.
    public func isDataAvailable() -> Bool { !live.isGone }

    /// The name; nil if there is none.
    public var name: String? { value.name }
    /// The address.
    public var email: String { value.email }
    /// The name and address, for a draft.
    public var address: EmailAddress { value.address }
}
