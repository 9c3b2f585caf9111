public import Foundation
import Groundwork
import MailComposing

/// A person that the account has written to or heard from, derived from the mails on this device, or that is in an
/// address book of its server.
///
/// There is one contact for each address. Two spellings are the same address if `EmailAddress.isSame(as:)` is true:
/// case and the form of the domain are ignored.
///
/// Address books are those of RFC 9610, or Cyrus' own; a server may have none. The name of a card takes precedence over
/// those in mails. When the card is deleted there, the contact is derived from the mails again.
///
/// Counted are the authors of received mails, and all recipients of the account's own mails: those in the mailbox with
/// the role `sent`, and those from one of the account's addresses. The other recipients of a received mail aren't.
/// Drafts, and mails that are only in trash or junk, aren't counted. Addresses of lists and automated senders are left
/// out, such as `no-reply@example.com`, unless they are in an address book. So are the account's own: those of its
/// identities, of the configuration and of the sign-in, and the authors of sent mails.
public struct MailContact: Hashable, Identifiable, Sendable {
    /// The address in the form in which addresses are compared, the same on every device.
    public let id: String
    /// The name in the address books; without one, the name that most of the mails have for this address, of equally
    /// frequent ones the one used last. It is one line; nil if there is none. A name from mails isn't verified: anyone
    /// can send a mail with any name.
    public let name: String?
    /// The address, in the spelling of the address books, else in that which most of the mails have.
    public let email: String
    /// The number of mails written to the address.
    public let writtenCount: Int
    /// The number of mails received from the address.
    public let receivedCount: Int
    /// The time at which the latest of these mails was received, or stored as sent; the beginning of 1970 if there is
    /// none.
    public let lastUsedAt: Date
    /// The place among the contacts, the highest first (``ContactRank``).
    let rank: Int

    /// The name and address, for a mail.
    public var address: EmailAddress { EmailAddress(name: name, email: email) }
    /// The text to show: the name, or the address if there is no name.
    public var displayName: String { address.displayName }
}
