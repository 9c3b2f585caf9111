extension SampleMail {
    /// Samples of bodies.
    var bodySample: [UInt8] {
        switch self {
        case .alternative:
            mail(
                """
                Content-Type: multipart/alternative; boundary="=_alternative"

                This is a message in MIME format.
                --=_alternative
                Content-Type: text/plain; charset=utf-8
                Content-Transfer-Encoding: quoted-printable

                Caf=C3=A9 at three?

                Anna
                --=_alternative
                Content-Type: text/html; charset=utf-8
                Content-Transfer-Encoding: quoted-printable

                <html><body><p>Caf=C3=A9 at <b>three</b>?</p><p>Anna</p></body></html>
                --=_alternative--
                """,
                subject: "Coffee"
            )
        case .htmlOnly:
            mail(
                """
                Content-Type: text/html; charset=utf-8
                Content-Transfer-Encoding: 8bit

                <!DOCTYPE html>
                <html><head><title>Invoice</title><style>p { color: black }</style></head>
                <body><script>alert(1)</script>
                <h1>Invoice 4711</h1><p>Total: 1&nbsp;234,50&nbsp;€ &mdash; due in 14&#160;days.</p>
                <img src="https://tracker.example/open.gif" width="1" height="1"></body></html>
                """,
                subject: "Your invoice 4711"
            )
        case .flowed:
            // A line that ends in a space continues (RFC 3676); DelSp removes the space itself. A line of "-- " begins
            // a signature.
            mail(
                """
                Content-Type: text/plain; charset=utf-8; format=flowed; delsp=yes

                This paragraph is longer than a line of a terminal, so the pro\u{20}
                gram that sent it broke it, and says that it may be put together \u{20}
                again.

                > A quoted paragraph is broken in the same way, \u{20}
                > each line with its mark.
                 >This line starts with a mark that quotes nothing.

                --\u{20}
                Anna
                """,
                subject: "Flowed"
            )
        case .links:
            mail(
                """
                Content-Type: text/plain; charset=utf-8

                See https://example.com/path?a=1&b=(2), or <https://example.com/in-brackets>.
                Also www.example.org, and mail anna@example.com or mailto:bob@example.com!
                Not a link: example., a.b, 1.2.3, file.txt and javascript:alert(1).
                """,
                subject: "Links"
            )
        case .emptyBody: mail("Content-Type: text/plain; charset=utf-8\n", subject: "(nothing to say)")
        case .headersOnly:
            // Not even the empty line after the headers.
            Array(mail("X-Last: header", subject: "Headers only"))
        case .rightToLeft:
            mail(
                """
                Content-Type: multipart/alternative; boundary=rtl

                --rtl
                Content-Type: text/plain; charset=utf-8
                Content-Transfer-Encoding: 8bit

                שלום אנה, הפגישה ב-10:30 (room B). ראי https://example.com
                مرحبا، الاجتماع غدا.
                --rtl
                Content-Type: text/html; charset=utf-8
                Content-Transfer-Encoding: 8bit

                <div dir="rtl">שלום אנה, הפגישה ב-10:30 (room B).<br>مرحبا، الاجتماع غدا.</div>
                --rtl--
                """,
                subject: "=?utf-8?B?16nXnNeV150=?= (room B)",
                from: "=?utf-8?B?15DXoNeU?= <anna@example.com>"
            )
        case .emoji:
            // The family of four is one character of seven scalars.
            mail(
                """
                Content-Type: text/plain; charset=utf-8
                Content-Transfer-Encoding: base64

                \(Self.base64(Array("Thanks 🎉 from all of us 👨‍👩‍👧‍👦 — see you in 🇩🇪!\r\n".utf8)))
                """,
                subject: "=?UTF-8?Q?Congratulations_=F0=9F=8E=89?= =?UTF-8?B?8J+RqOKAjfCfkanigI3wn5Gn4oCN8J+Rpg==?="
            )
        case .longLine:
            mail(
                """
                Content-Type: text/html; charset=utf-8

                <p>\(String(repeating: "<b>word</b> ", count: 10_000))</p>
                """,
                subject: "One line of 120,000 characters"
            )
        default:
            mail(
                """
                Content-Type: text/plain; charset=us-ascii

                Hello Alice,

                see you on Thursday.

                Anna
                """,
                subject: "Thursday"
            )
        }
    }
}
