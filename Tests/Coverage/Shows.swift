package import Testing

/// Says of what a test is the proof. `scripts/coverage` makes Documentation/Coverage.md of it, and looks whether the
/// tests passed.
///
/// It changes nothing about the test, but that a failure names what no longer holds.
package struct Shows: TestTrait {
    package let comments: [Comment]
}

extension Trait where Self == Shows {
    /// The test shows that these statements of Zeta's document hold.
    package static func shows(_ statements: ZetaStatement...) -> Self { Shows(statements) }

    /// The test shows that these statements of Bloomreach's document hold.
    package static func shows(_ statements: BloomreachStatement...) -> Self { Shows(statements) }

    /// The test shows that these statements of Adobe's two documents hold.
    package static func shows(_ statements: AdobeStatement...) -> Self { Shows(statements) }

    /// The test shows that these statements of InboxKit's document hold.
    package static func shows(_ statements: InboxKitStatement...) -> Self { Shows(statements) }

    /// The test shows that what these people complain about doesn't happen here.
    package static func rulesOut(_ complaints: Complaint...) -> Self { Shows(complaints) }
}

extension Shows {
    fileprivate init(_ subjects: [some RawRepresentable<String>]) {
        comments = subjects.map { Comment(rawValue: $0.rawValue) }
    }
}
