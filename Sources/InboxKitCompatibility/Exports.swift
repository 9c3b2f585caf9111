// Predicates and sort descriptors are over the mail's own values, and so are addresses.
@_exported public import InboxMail
