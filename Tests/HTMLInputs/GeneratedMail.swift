import SeededRandom

/// Mail of any size as newsletters, Outlook and Gmail write it: nested tables, inline styles, a style sheet with media
/// queries, conditional comments, long URLs and character references. The same each time.
package enum GeneratedMail {
    /// Returns a mail of at least this many bytes, and at most 4 kB more, and of 9 kB at least.
    package static func html(bytes: Int) -> String {
        var writer = Writer()
        var text = writer.head()
        while text.utf8.count < bytes {
            switch Int.random(in: 0..<4, using: &writer.random) {
            case 0, 1: text += writer.product()
            case 2: text += writer.outlook()
            default: text += writer.reply()
            }
        }
        return text + "</td></tr></table>\n</body>\n</html>\n"
    }

    private struct Writer {
        var random = Seeded(7)

        private static let vocabulary = """
            the of and to in for your order we our new this week from with you at now price summer please account \
            delivery has been shipped offer days only see more details customer team thanks regards meeting tomorrow \
            over café naïve 20&nbsp;% &euro;49 don&rsquo;t &ldquo;sale&rdquo; &amp; &mdash; unsubscribe view browser \
            item quantity
            """.split(separator: " ").map(String.init)

        private mutating func words(_ count: Int) -> String {
            (0..<count).map { _ in Self.vocabulary[Int.random(in: 0..<Self.vocabulary.count, using: &random)] }
                .joined(separator: " ")
        }

        private mutating func hex(_ digits: Int) -> String {
            String((0..<digits).map { _ in Array("0123456789abcdef")[Int.random(in: 0..<16, using: &random)] })
        }

        private mutating func url() -> String {
            "https://click.example.com/t/\(hex(16))?utm_source=mail&amp;utm_campaign=c\(hex(2))&amp;id=\(hex(24))"
        }

        mutating func head() -> String {
            let rules = (0..<40).map { number in
                "@media only screen and (max-width: \(320 + number * 11)px) { .c\(number) { width: 100% !important; "
                    + "padding: 0 \(number)px; color: #\(hex(6)); } }\n"
            }
            return """
                <!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" \
                "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">
                <html xmlns="http://www.w3.org/1999/xhtml" xmlns:v="urn:schemas-microsoft-com:vml" \
                xmlns:o="urn:schemas-microsoft-com:office:office">
                <head>
                <meta http-equiv="Content-Type" content="text/html; charset=UTF-8" />
                <meta name="viewport" content="width=device-width, initial-scale=1" />
                <title>Your week</title>
                <!--[if mso]><xml><o:OfficeDocumentSettings><o:AllowPNG/></o:OfficeDocumentSettings></xml><![endif]-->
                <style type="text/css">
                body, table, td, a { -webkit-text-size-adjust: 100%; }
                table, td { mso-table-lspace: 0pt; border-collapse: collapse; }
                img { border: 0; height: auto; outline: none; text-decoration: none; }
                td.text p { margin: 0 0 10px 0; }
                .MsoNormal { margin: 0cm; font-family: "Calibri", sans-serif; }
                \(rules.joined())</style>
                </head>
                <body style="margin: 0; padding: 0; background-color: #f4f4f4;" bgcolor="#f4f4f4">
                <table border="0" cellpadding="0" cellspacing="0" width="100%" role="presentation"><tr>\
                <td align="center">

                """
        }

        mutating func product() -> String {
            """
            <table border="0" cellpadding="0" cellspacing="0" width="600" class="c\(Int.random(in: 0..<40, using: &random))" \
            role="presentation" style="border-collapse: collapse;">
              <tr>
                <td align="center" valign="top" style="padding: 10px 20px 10px 20px; font-family: Arial, Helvetica, \
            sans-serif; font-size: 14px; line-height: 20px; color: #333333;">
                  <a href="\(url())" target="_blank" style="color: #0066cc; text-decoration: none;">\
            <img src="https://img.example.com/\(hex(16)).png" width="280" height="200" alt="\(words(4))" border="0" \
            style="display: block;" /></a>
                </td>
                <td class="text" style="font-family: Arial, sans-serif; font-size: 14px;" valign="top">
                  <h2 style="margin: 0;">\(words(5))</h2>
                  <p>\(words(40))<br />\(words(12)) <b>\(words(3))</b> <a href="\(url())">\(words(2))</a></p>
                  <ul><li>\(words(6))</li><li>\(words(7))</li></ul>
                </td>
              </tr>
            </table>

            """
        }

        mutating func outlook() -> String {
            """
            <div class=WordSection1><p class=MsoNormal><span lang=EN-US style='font-size:11.0pt;color:#1F497D'>\
            \(words(50))<o:p></o:p></span></p>
            <p class=MsoNormal><o:p>&nbsp;</o:p></p>
            <p class="MsoNormal"><font face="Calibri" size="2"><span style='font-size:11.0pt'>\(words(30))</span></font>\
            </p></div>

            """
        }

        mutating func reply() -> String {
            """
            <div dir="ltr"><div>\(words(60))</div><div><br></div><div>\(words(25))</div></div><br>
            <div class="gmail_quote"><div dir="ltr" class="gmail_attr">\(words(8)) &lt;\
            <a href="mailto:a@example.com">a@example.com</a>&gt; wrote:<br></div>
            <blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);\
            padding-left:1ex">\(words(80))</blockquote></div>

            """
        }
    }
}
