/// The capabilities of mail (RFC 8621, section 1.3).
enum MailCapability {
    static let mail = "urn:ietf:params:jmap:mail"
    static let submission = "urn:ietf:params:jmap:submission"
}
