extension SampleMail {
    /// Samples of headers.
    var headerSample: [UInt8] {
        switch self {
        case .encodedHeaders:
            whole(
                """
                From: =?iso-8859-1?Q?J=FCrgen_M=FCller?= <juergen@example.com>
                To: =?utf-8?B?xaBpbW9u?= <simon@example.com>, =?KOI8-R?B?6dfBzg==?= <ivan@example.com>,
                 "=?utf-8?Q?In_quotes=2C_which_is_wrong?=" <quotes@example.com>
                Cc: =?utf-8?q?comma=2C_in_the_name?= <comma@example.com>
                Subject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?= =?iso-8859-15?q?_f=FCr_5=A4?= and
                 =?windows-1252?Q?=93quotes=94?= =?unknown?Q?raw=FF?= =?utf-8?Q?not closed
                Date: Tue, 03 Mar 2026 10:20:30 +0100
                """,
                "The names and the subject are encoded."
            )
        case .splitCharacters:
            // One character's bytes are in two encoded words; the space between two encoded words is dropped.
            whole(
                """
                From: anna@example.com
                Subject: =?utf-8?Q?Caf=C3?=
                 =?utf-8?Q?=A9?= =?utf-8?B?IPCf?= =?utf-8?B?jok=?=
                Date: Tue, 03 Mar 2026 10:20:30 +0100
                """,
                "Some programs cut after so many bytes."
            )
        case .rawUTF8Headers:
            whole(
                """
                From: Jürgen Müller <jürgen@exämple.com>
                To: "Šimon, der Große" <simon@example.com>
                Subject: Grüße 🎉 ohne Kodierung
                Date: Tue, 03 Mar 2026 10:20:30 +0100
                """,
                "The headers are as in RFC 6532."
            )
        case .encodedFileNames:
            files([
                #"filename*=utf-8''B%C3%BCro%20%E2%82%AC.txt"#,
                #"filename*0*=utf-8'de'Ein%20sehr%20; filename*1="langer "; filename*2*=N%C3%A4me.txt"#,
                #"filename="fallback.txt"; filename*=UTF-8''Vorzug.txt"#,
                #"filename*=iso-8859-1''M%E4rz.txt"#,
            ])
        case .outlookFileNames:
            files([
                #"filename="=?utf-8?Q?B=C3=BCro.txt?=""#,
                "filename=\"=?iso-8859-1?Q?Ein_langer_?=\n =?iso-8859-1?Q?N=E4me.txt?=\"",
                #"filename="Büro roh.txt""#,
                "filename=no quotes.txt",
                #"filename="C:\\Users\\anna\\path.txt""#,
                #"filename="../../../etc/passwd""#,
                #"filename="""#,
            ])
        case .noDate: whole("From: anna@example.com\nSubject: No date", "There is no Date.")
        case .brokenDate:
            whole(
                "From: anna@example.com\nSubject: Broken date\nDate: yesterday, at 25:61 or so",
                "Its date is nonsense."
            )
        case .oldDate:
            // Two digits for the year, a zone's name, a comment: a reader has to accept them (RFC 5322, 4.3).
            whole(
                "From: anna@example.com\nSubject: Old date\nDate: Fri, 21 Nov 97 09(comment):55:06 EST (Eastern)",
                "Its date is of another century."
            )
        case .noSubject: whole("From: anna@example.com\nDate: Tue, 03 Mar 2026 10:20:30 +0100", "There is no Subject.")
        case .emptyFrom:
            whole(
                "From:\nTo: <>\nCc: ,,\nSubject:\nDate: Tue, 03 Mar 2026 10:20:30 +0100",
                "From, To and Subject are there, and empty."
            )
        case .groups:
            whole(
                """
                From: anna@example.com
                To: undisclosed-recipients:;
                Cc: The team: Bob <bob@example.com>, carol@example.com;, dave@example.com (Dave)
                Subject: Groups
                Date: Tue, 03 Mar 2026 10:20:30 +0100
                """,
                "To is an empty group, Cc one of two and another."
            )
        case .manyRecipients:
            whole(
                "From: anna@example.com\nSubject: To all\nDate: Tue, 03 Mar 2026 10:20:30 +0100\n\(Self.toMany)",
                "To 3,000 people."
            )
        case .headersTooLong:
            // Some servers read a limited number of bytes of the headers.
            whole(
                "From: anna@example.com\n\(Self.toMany)\nSubject: To all\nDate: Tue, 03 Mar 2026 10:20:30 +0100",
                "The recipients come before the subject."
            )
        case .longReferences:
            whole(
                """
                From: anna@example.com
                Subject: Re: Re: Re: The longest thread
                Date: Tue, 03 Mar 2026 10:20:30 +0100
                In-Reply-To: <thread-200@samples.example> (from Bob)
                References: \((1...200).map { "<thread-\($0)@samples.example>" }.joined(separator: "\n "))
                """,
                "It refers to 200 others."
            )
        case .repeatedHeaders:
            whole(
                """
                From: first@example.com
                From: second@example.com
                Subject: The first
                Subject: The second
                To: first@example.com
                To: second@example.com
                Date: Tue, 03 Mar 2026 10:20:30 +0100
                Date: Wed, 04 Mar 2026 10:20:30 +0100
                """,
                "Each header is there twice."
            )
        default:
            whole(
                """
                from:\tanna@example.com
                SUBJECT: Folded
                \there and
                   \u{20}
                  there
                Date:
                 Tue, 03 Mar 2026
                 10:20:30 +0100
                X-Long: \(String(repeating: "x", count: 5_000))
                """,
                "The headers are folded in odd places."
            )
        }
    }

    private static let toMany =
        "To: "
        + (1...3_000).map { "Person \($0) <person\($0)@example.com>" }.joined(separator: ",\n ")

    /// Returns a mail with only these headers and an id.
    private func whole(_ headers: String, _ text: String) -> [UInt8] {
        Self.lines("Message-ID: \(messageID)\n\(headers)\n\n\(text)")
    }

    /// Returns a mail with an attachment for each given parameter of `Content-Disposition`, and one whose name is only
    /// in its `Content-Type`.
    private func files(_ parameters: [String]) -> [UInt8] {
        let parts = parameters.map {
            "--files\nContent-Type: text/x-file\nContent-Disposition: attachment; \($0)\n\na file"
        }
        return mail(
            """
            Content-Type: multipart/mixed; boundary=files

            --files
            Content-Type: text/plain

            Files.
            \(parts.joined(separator: "\n"))
            --files
            Content-Type: text/x-file; name="=?utf-8?B?TsOkbWUudHh0?="
            Content-Disposition: attachment

            a file
            --files--
            """,
            subject: "File names"
        )
    }
}
