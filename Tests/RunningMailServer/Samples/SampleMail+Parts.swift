extension SampleMail {
    /// Samples of part structures.
    var partSample: [UInt8] {
        switch self {
        case .inlineImages: inlineImages
        case .forwarded: forwarded
        case .invitation: invitation
        case .newsletter: newsletter
        case .bounce: bounce
        case .signed: signed
        case .attachmentOnly:
            // The mail consists of an attachment only, as sent by a scanner.
            mail(
                """
                Content-Type: application/pdf; name="scan.pdf"
                Content-Disposition: attachment; filename="scan.pdf"
                Content-Transfer-Encoding: base64

                \(Self.base64(Array("%PDF-1.4\nscanned\n".utf8)))
                """,
                subject: "Message from the scanner"
            )
        case .manyAttachments: manyAttachments
        case .largeAttachment: largeAttachment(bytes: 20 << 20)
        case .listFooter:
            // A mailing list adds its footer to a mail that has HTML only.
            mail(
                """
                Content-Type: multipart/mixed; boundary=footer

                --footer
                Content-Type: text/html; charset=utf-8
                Content-Transfer-Encoding: 8bit

                <html><body><p>Who brings the <b>cake</b>?</p></body></html>
                --footer
                Content-Type: text/plain; charset=us-ascii
                Content-Disposition: inline

                _______________________________________________
                Party mailing list <party@lists.example>
                --footer--
                """,
                subject: "[Party] Cake"
            )
        default: deepParts
        }
    }

    /// Returns a mail with an attachment of a given size, whose bytes depend on their positions.
    package func largeAttachment(bytes count: Int) -> [UInt8] {
        let content = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            var value: UInt32 = 1
            for place in 0..<count {
                value = value &* 1_664_525 &+ 1_013_904_223
                buffer[place] = UInt8(value >> 24)
            }
            initialized = count
        }
        return mail(
            """
            Content-Type: multipart/mixed; boundary=large

            --large
            Content-Type: text/plain

            The film is attached.
            --large
            Content-Type: video/mp4; name="film.mp4"
            Content-Disposition: attachment; filename="film.mp4"; size=\(count)
            Content-Transfer-Encoding: base64

            \(Self.base64(content))
            --large--
            """,
            subject: "The film"
        )
    }

    /// mixed > (related > (alternative > text, html), two images by cid), a file, a mailing list's footer.
    private var inlineImages: [UInt8] {
        mail(
            """
            Content-Type: multipart/mixed; boundary="mixed"

            --mixed
            Content-Type: multipart/related; boundary="related"; type="multipart/alternative"

            --related
            Content-Type: multipart/alternative; boundary="alternative"

            --alternative
            Content-Type: text/plain; charset=utf-8

            Our new logo: [cid:logo@example.com]
            --alternative
            Content-Type: text/html; charset=utf-8
            Content-Transfer-Encoding: quoted-printable

            <p>Our new logo: <img src=3D"cid:logo@example.com"> and the =
            <img src=3D'CID:old%20logo@example.com'> one</p>
            --alternative--

            --related
            Content-Type: image/png; name="logo.png"
            Content-ID: <logo@example.com>
            Content-Disposition: inline; filename="logo.png"
            Content-Transfer-Encoding: base64

            \(Self.pixel)
            --related
            Content-Type: image/png
            Content-ID: <old logo@example.com>
            Content-Transfer-Encoding: base64

            \(Self.pixel)
            --related--

            --mixed
            Content-Type: application/pdf; name="guide.pdf"
            Content-Disposition: attachment; filename="guide.pdf"
            Content-Transfer-Encoding: base64

            \(Self.base64(Array("%PDF-1.4\nguide\n".utf8)))
            --mixed
            Content-Type: text/plain; charset=us-ascii
            Content-Disposition: inline

            _______________________________________________
            design mailing list
            --mixed--
            """,
            subject: "Logo"
        )
    }

    /// A mail within the mail, which has its own attachment.
    private var forwarded: [UInt8] {
        mail(
            """
            Content-Type: multipart/mixed; boundary=outer

            --outer
            Content-Type: text/plain

            See below.
            --outer
            Content-Type: message/rfc822; name="The original.eml"
            Content-Disposition: attachment; filename="The original.eml"

            From: Carol <carol@example.org>
            To: anna@example.com
            Subject: =?utf-8?Q?The_original_=E2=80=93_with_a_file?=
            Date: Mon, 02 Mar 2026 08:00:00 +0000
            Message-ID: <original@example.org>
            MIME-Version: 1.0
            Content-Type: multipart/mixed; boundary=inner

            --inner
            Content-Type: text/plain

            The text of the original.
            --inner
            Content-Type: text/csv; name="figures.csv"
            Content-Disposition: attachment; filename="figures.csv"

            a,b
            --inner--

            --outer--
            """,
            subject: "Fwd: The original"
        )
    }

    /// An invitation as calendars send it: as an alternative for clients that support calendars, and as an attachment.
    private var invitation: [UInt8] {
        let calendar = """
            BEGIN:VCALENDAR
            VERSION:2.0
            PRODID:-//Samples//EN
            METHOD:REQUEST
            BEGIN:VEVENT
            UID:event-1@samples.example
            DTSTAMP:20260303T092030Z
            DTSTART;TZID=Europe/Berlin:20260310T100000
            DTEND;TZID=Europe/Berlin:20260310T110000
            SUMMARY:Planning
            ORGANIZER;CN=Anna Berger:mailto:anna@example.com
            ATTENDEE;PARTSTAT=NEEDS-ACTION;RSVP=TRUE:mailto:alice@example.com
            END:VEVENT
            END:VCALENDAR
            """
        return mail(
            """
            Content-Type: multipart/mixed; boundary=mixed

            --mixed
            Content-Type: multipart/alternative; boundary=alternative

            --alternative
            Content-Type: text/plain; charset=utf-8

            You are invited: Planning, 10 March, 10:00
            --alternative
            Content-Type: text/html; charset=utf-8

            <p>You are invited: <b>Planning</b>, 10 March, 10:00</p>
            --alternative
            Content-Type: text/calendar; charset=utf-8; method=REQUEST

            \(calendar)
            --alternative--

            --mixed
            Content-Type: application/ics; name="invite.ics"
            Content-Disposition: attachment; filename="invite.ics"
            Content-Transfer-Encoding: base64

            \(Self.base64(Self.lines(calendar)))
            --mixed--
            """,
            subject: "Invitation: Planning @ Tue 10 Mar 2026 10:00"
        )
    }

    private var newsletter: [UInt8] {
        mail(
            """
            Sender: bounces@news.example
            Reply-To: No reply <noreply@news.example>
            List-Id: Weekly news <weekly.news.example>
            List-Unsubscribe: <mailto:leave@news.example?subject=leave>, <https://news.example/leave/1>
            List-Unsubscribe-Post: List-Unsubscribe=One-Click
            Precedence: bulk
            Content-Type: text/html; charset="UTF-8"
            Content-Transfer-Encoding: quoted-printable

            <div style=3D"display:none;max-height:0">What was new this week&zwnj;&nbsp;&=
            zwnj;&nbsp;</div><table width=3D"600"><tr><td><a href=3D"https://news.exampl=
            e/1?u=3D1">Read more =C2=BB</a></td></tr></table>
            """,
            subject: "Weekly news",
            from: "Weekly news <news@news.example>"
        )
    }

    /// A server's report of a failed delivery (RFC 3464).
    private var bounce: [UInt8] {
        mail(
            """
            Auto-Submitted: auto-replied
            Content-Type: multipart/report; report-type=delivery-status; boundary=report

            --report
            Content-Type: text/plain

            I'm sorry to have to inform you that your message could not be delivered.
            --report
            Content-Type: message/delivery-status

            Reporting-MTA: dns; mx.example.com

            Final-Recipient: rfc822; unknown@example.org
            Action: failed
            Status: 5.1.1
            --report
            Content-Type: text/rfc822-headers

            From: alice@example.com
            Subject: Hello
            --report--
            """,
            subject: "Undelivered Mail Returned to Sender",
            from: "MAILER-DAEMON <>"
        )
    }

    private var signed: [UInt8] {
        mail(
            """
            Content-Type: multipart/signed; micalg=pgp-sha256; protocol="application/pgp-signature"; boundary=signed

            --signed
            Content-Type: text/plain; charset=utf-8

            This text is signed.
            --signed
            Content-Type: application/pgp-signature; name="signature.asc"
            Content-Description: OpenPGP digital signature
            Content-Disposition: attachment; filename="signature"

            -----BEGIN PGP SIGNATURE-----

            bm90IGEgcmVhbCBvbmU=
            -----END PGP SIGNATURE-----
            --signed--
            """,
            subject: "Signed"
        )
    }

    private var manyAttachments: [UInt8] {
        let files = (1...100).map { number in
            """
            --many
            Content-Type: text/csv; name="table \(number).csv"
            Content-Disposition: attachment; filename="table \(number).csv"

            row,\(number)
            """
        }
        return mail(
            """
            Content-Type: multipart/mixed; boundary=many

            --many
            Content-Type: text/plain

            A hundred of them.
            \(files.joined(separator: "\n"))
            --many--
            """,
            subject: "A hundred attachments"
        )
    }

    /// 50 nested multiparts.
    private var deepParts: [UInt8] {
        let begins = (1..<50).map { "--level\($0)\nContent-Type: multipart/mixed; boundary=level\($0 + 1)\n" }
        let ends = (1...50).reversed().map { "--level\($0)--" }
        return mail(
            """
            Content-Type: multipart/mixed; boundary=level1

            \(begins.joined(separator: "\n"))
            --level50
            Content-Type: text/plain

            At the bottom.
            \(ends.joined(separator: "\n"))
            """,
            subject: "Fifty levels"
        )
    }
}
