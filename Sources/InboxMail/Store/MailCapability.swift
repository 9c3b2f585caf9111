/// What a server calls mail (RFC 8621 §1.3).
enum MailCapability {
    static let mail = "urn:ietf:params:jmap:mail"
    static let submission = "urn:ietf:params:jmap:submission"
}
