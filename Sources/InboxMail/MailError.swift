public import Replica

/// A failure of a person's mail. Its text contains neither mails nor passwords or tokens.
public typealias MailError = ReplicaError
