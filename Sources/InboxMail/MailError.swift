public import Replica

/// An error of a person's mail. Its description contains neither mails nor passwords or tokens.
public typealias MailError = ReplicaError
