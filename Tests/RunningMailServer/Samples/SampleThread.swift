/// Mails that belong to one thread, or only seem to, in the order of arrival.
package enum SampleThread: String, CaseIterable, Sendable {
    /// Replies by subject only, without `In-Reply-To` and `References`.
    case bySubject
    /// A reply that refers to the first mail and has another subject.
    case subjectChanged
    /// The reply arrives before the original.
    case answerFirst
    /// The third mail refers to the first and the second, which were unrelated before.
    case joined
    /// Two mails with one `Message-ID`.
    case sameMessageID
    /// The second mail is missing: the third refers to the first and to a mail that never arrived.
    case gap

    package var mails: [[UInt8]] {
        switch self {
        case .bySubject:
            [mail(1, "Budget"), mail(2, "Re: Budget"), mail(3, "AW: Re: Budget"), mail(4, "Budget (was: Plan)")]
        case .subjectChanged: [mail(1, "Lunch"), mail(2, "Dinner (was: Lunch)", refersTo: [1])]
        case .answerFirst: [mail(2, "Re: Question", refersTo: [1]), mail(1, "Question")]
        case .joined: [mail(1, "Cats"), mail(2, "Cats"), mail(3, "Re: Cats", refersTo: [1, 2])]
        case .sameMessageID: [mail(1, "Twice"), mail(1, "Twice", text: "The second.")]
        case .gap: [mail(1, "Gap"), mail(3, "Re: Gap", refersTo: [1, 2])]
        }
    }

    private func mail(_ number: Int, _ subject: String, refersTo others: [Int] = [], text: String = "Text.") -> [UInt8]
    {
        let others = others.map { "<\(rawValue)-\($0)@threads.example>" }
        var headers = """
            From: Person \(number) <person\(number)@example.com>
            To: alice@example.com
            Subject: \(subject)
            Date: \(MailDate.text(1_772_500_000 + number * 60))
            Message-ID: <\(rawValue)-\(number)@threads.example>
            """
        if let last = others.last {
            headers += "\nIn-Reply-To: \(last)\nReferences: \(others.joined(separator: " "))"
        }
        return SampleMail.lines("\(headers)\n\n\(text)")
    }
}
