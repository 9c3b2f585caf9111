// Predicates and sort descriptors use the types of `InboxMail`, and so do addresses.
@_exported public import InboxMail
