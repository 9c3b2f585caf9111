extension SampleMail {
    /// Samples with quotations.
    var replySample: [UInt8] {
        switch self {
        case .replyOutlook:
            mail(
                """
                Content-Type: text/plain; charset=utf-8

                Agreed.

                Anna

                -----Original Message-----
                From: Bob <bob@example.com>\u{20}
                Sent: Monday, March 2, 2026 4:12 PM
                To: Anna Berger <anna@example.com>
                Subject: RE: The plan

                Shall we take the second one?
                """,
                subject: "RE: The plan"
            )
        case .replyOutlookHTML:
            html(
                #"""
                <html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style>p.MsoNormal {margin:0}</style></head>
                <body lang="EN-GB"><div class="WordSection1"><p class="MsoNormal">Agreed.<o:p></o:p></p>
                <div><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm">
                <p class="MsoNormal"><b>From:</b> Bob &lt;bob@example.com&gt; <br><b>Sent:</b> Monday, 2 March 2026 16:12<br>
                <b>To:</b> Anna Berger<br><b>Subject:</b> The plan<o:p></o:p></p></div></div>
                <p class="MsoNormal">Shall we take the second one?<o:p></o:p></p></div></body></html>
                """#
            )
        case .replyGmail:
            html(
                #"""
                <div dir="ltr">Agreed.</div><br><div class="gmail_quote gmail_quote_container"><div dir="ltr"
                 class="gmail_attr">On Mon, Mar 2, 2026 at 4:12 PM Bob &lt;<a href="mailto:bob@example.com">bob@example.com</a>&gt;
                 wrote:<br></div><blockquote class="gmail_quote" style="margin:0 0 0 .8ex;border-left:1px solid #ccc;padding-left:1ex">
                <div dir="ltr">Shall we take the second one?</div></blockquote></div>
                """#
            )
        case .replyApple:
            html(
                #"""
                <html><body>Agreed.<br id="lineBreakAtBeginningOfSignature"><div dir="ltr">Sent from my phone</div>
                <div dir="ltr"><br><blockquote type="cite">On 2. Mar 2026, at 16:12, Bob &lt;bob@example.com&gt; wrote:<br><br>
                </blockquote></div><blockquote type="cite"><div dir="ltr">Shall we take the second one?</div></blockquote></body></html>
                """#
            )
        case .replyGerman:
            mail(
                """
                Content-Type: text/plain; charset=utf-8

                Einverstanden.

                Am Mo., 2. März 2026 um 16:12 Uhr schrieb Bob <
                bob@example.com>:

                > Nehmen wir den zweiten?
                >
                > Bob

                --\u{20}
                Anna Berger
                """,
                subject: "AW: Der Plan"
            )
        case .replyBetweenLines:
            mail(
                """
                Content-Type: text/plain; charset=utf-8

                Bob <bob@example.com> writes:

                > Shall we take the second one?

                Yes.

                > And when?

                On Thursday.
                > This line isn't Bob's but starts so.
                """,
                subject: "Re: The plan"
            )
        case .replyDeep:
            mail(
                """
                Content-Type: text/plain; charset=utf-8

                Fine.

                On Tue, Mar 3, 2026 at 9:00 AM Carol wrote:
                > So do I.
                >
                > On Mon, Mar 2, 2026 at 5:00 PM Bob wrote:
                >> I agree.
                >>
                >>> On Mon, Mar 2, 2026 at 4:12 PM Dave wrote:
                > > > Shall we?
                """,
                subject: "Re: Re: Re: Shall we?"
            )
        default:
            mail(
                """
                Content-Type: text/plain; charset=utf-8

                Agreed.

                On Mon, Mar 2, 2026 at 4:12 PM Bob Baker-Longname <
                bob.baker-longname@example.com> wrote:

                > Shall we take the second one?
                """,
                subject: "Re: The plan"
            )
        }
    }

    private func html(_ text: String) -> [UInt8] {
        mail("Content-Type: text/html; charset=utf-8\n\n\(text)", subject: "Re: The plan")
    }
}
