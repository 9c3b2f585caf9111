package import Testing

/// A trait that names the statements a test proves. `scripts/coverage` generates Documentation/Coverage.md from it, and
/// checks that the tests passed.
///
/// A failure of the test has the statements as comments. The trait changes nothing else.
package struct Shows: TestTrait {
    package let comments: [Comment]
}

extension Trait where Self == Shows {
    /// Names the proven statements of Zeta's document.
    package static func shows(_ statements: ZetaStatement...) -> Self { Shows(statements) }

    /// Names the proven statements of Bloomreach's document.
    package static func shows(_ statements: BloomreachStatement...) -> Self { Shows(statements) }

    /// Names the proven statements of Adobe's two documents.
    package static func shows(_ statements: AdobeStatement...) -> Self { Shows(statements) }

    /// Names the proven statements of InboxKit's document.
    package static func shows(_ statements: InboxKitStatement...) -> Self { Shows(statements) }

    /// Names the complaints whose causes can't occur here.
    package static func rulesOut(_ complaints: Complaint...) -> Self { Shows(complaints) }
}

extension Shows {
    fileprivate init(_ subjects: [some RawRepresentable<String>]) {
        comments = subjects.map { Comment(rawValue: $0.rawValue) }
    }
}
