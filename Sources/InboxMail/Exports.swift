// An inbox may contain the mail (``Mail/inbox``), and one list may have both. InboxClient exports the types of the
// floors below that both modules name.
@_exported public import InboxClient
// The addresses of a mail.
@_exported public import MailComposing
