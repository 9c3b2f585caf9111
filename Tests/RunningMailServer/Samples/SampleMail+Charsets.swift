extension SampleMail {
    /// Samples of wrong or rare charsets.
    var charsetSample: [UInt8] {
        switch self {
        case .asciiThatIsUTF8: text(Array("Grüße aus München".utf8), charset: "us-ascii")
        case .utf8ThatIsLatin1: text(Self.latin1("Grüße aus München"), charset: "utf-8")
        case .latin1ThatIsWindows:
            // Only windows-1252 has curly quotes and the euro; half of all mail that declares iso-8859-1 has them.
            text(Self.latin1("\u{93}Grüße\u{94} für 5 \u{80}"), charset: "iso-8859-1")
        case .windows1252: text(Self.latin1("\u{93}Grüße\u{94} für 5 \u{80}"), charset: "windows-1252")
        case .iso2022JP:
            // 明日の会議は十時からです。
            text(
                Array("\u{1B}$BL@F|$N2q5D$O==;~$+$i$G$9!#\u{1B}(B".utf8),
                charset: "iso-2022-jp",
                subject: "=?ISO-2022-JP?B?GyRCMnE1RCROJCpDTiRpJDsbKEI=?="
            )
        case .koi8R:
            // Привет, встреча
            text(
                [0xF0, 0xD2, 0xC9, 0xD7, 0xC5, 0xD4, 0x2C, 0x20, 0xD7, 0xD3, 0xD4, 0xD2, 0xC5, 0xDE, 0xC1],
                charset: "koi8-r"
            )
        case .gb2312:
            // 价格表
            text([0xBC, 0xDB, 0xB8, 0xF1, 0xB1, 0xED], charset: "gb2312")
        case .unknown8bit: text(Self.latin1("Grüße aus München"), charset: "unknown-8bit")
        case .unknownCharset: text(Array("Grüße aus München".utf8), charset: "x-there-is-no-such")
        case .byteOrderMark: text([0xEF, 0xBB, 0xBF] + Array("Grüße aus München".utf8), charset: "utf-8")
        default:
            text(
                Array(#"<html><head><meta charset="iso-8859-1"></head><body>Grüße</body></html>"#.utf8),
                charset: "utf-8",
                type: "text/html"
            )
        }
    }

    private func text(
        _ body: [UInt8],
        charset: String,
        type: String = "text/plain",
        subject: String? = nil
    ) -> [UInt8] {
        let headers = "Content-Type: \(type); charset=\(charset)\nContent-Transfer-Encoding: 8bit\n"
        return mail(headers, subject: subject ?? "Says \(charset)") + body + [13, 10]
    }

    /// Each scalar as a byte. All are below 256.
    private static func latin1(_ text: String) -> [UInt8] { text.unicodeScalars.map { UInt8($0.value) } }
}
