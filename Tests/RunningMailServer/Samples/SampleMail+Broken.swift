extension SampleMail {
    /// Samples of incomplete mails.
    var brokenSample: [UInt8] {
        switch self {
        case .missingEndBoundary:
            mail(
                """
                Content-Type: multipart/mixed; boundary=cut

                --cut
                Content-Type: text/plain

                The end is missing.
                --cut
                Content-Type: application/pdf; name="cut.pdf"
                Content-Transfer-Encoding: base64

                JVBERi0xLjQKJcfs
                """,
                subject: "Cut off"
            )
        case .boundaryNeverFound:
            mail(
                """
                Content-Type: multipart/alternative; boundary="one"

                --two
                Content-Type: text/plain

                The boundary is another one.
                --two--
                """,
                subject: "Boundary never found"
            )
        case .noBoundary:
            mail("Content-Type: multipart/mixed\n\n--some\n\nNo boundary was named.\n--some--", subject: "No boundary")
        case .base64Garbage:
            mail(
                """
                Content-Type: multipart/mixed; boundary=garbage

                --garbage
                Content-Type: text/plain; charset=utf-8
                Content-Transfer-Encoding: base64

                SGVs*bG8g!!! this isn't Base64 ====
                dGhlcmU
                --garbage
                Content-Type: image/png; name="broken.png"
                Content-Transfer-Encoding: base64

                %%%%
                --garbage--
                """,
                subject: "Base64 that isn't"
            )
        case .quotedPrintableGarbage:
            mail(
                """
                Content-Type: text/plain; charset=utf-8
                Content-Transfer-Encoding: quoted-printable

                100=% sure =ZZ =C3=A4 =C3 lower =c3=a4 at the end=
                """,
                subject: "Quoted-printable that isn't"
            )
        case .unknownEncoding:
            mail(
                "Content-Type: text/plain\nContent-Transfer-Encoding: x-uuencode\n\nbegin 644 a\n#86)C\n`\nend",
                subject: "Unknown transfer encoding"
            )
        case .contentTypeGarbage:
            mail("Content-Type: text\nContent-Disposition: ;;=\n\nIs this text?", subject: "No content type")
        case .nulBytes: mail("\nbefore\0after", subject: "NUL")
        case .bareNewlines: Array("From: anna@example.com\nSubject: Unix\n\nLines that end in LF alone.\n".utf8)
        default:
            mail(
                """
                Content-Type: multipart/mixed; boundary=bare

                --bare

                A part without headers.
                --bare
                Content-Type: text/plain
                --bare--
                """,
                subject: "Bare parts"
            )
        }
    }
}
