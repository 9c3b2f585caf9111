import Testing

@testable import MailComposing

/// Mails that are passed on as they are, but for the recipients of blind copies.
@Suite(.timeLimit(.minutes(5))) struct BlindCopiesTests {
    private func removed(_ mail: String) -> String {
        String(decoding: BlindCopies.removed(from: Array(mail.utf8)), as: UTF8.self)
    }

    @Test func `fields for blind copies are removed with the lines that continue them`() {
        let mail =
            "To: bob@x\r\nBCC: Eve\r\n <eve@x>,\r\n\tmallory@x\r\nSubject: Hi\r\nResent-Bcc : eve@x\r\n\r\nText\r\n"
        #expect(removed(mail) == "To: bob@x\r\nSubject: Hi\r\n\r\nText\r\n")
        #expect(removed("bcc: eve@x\nTo: bob@x\n\nText") == "To: bob@x\n\nText")
        #expect(removed("Bcc: eve@x") == "")
    }

    @Test(arguments: [
        "To: bob@x\r\n\r\nBcc: a text\r\n", "X-Bcc: none\r\nSubject: Bcc: a subject\r\n Bcc: more of it\r\n\r\n", "",
        "\r\nBcc: a text", "no field",
    ])
    func `everything else stays as it is`(mail: String) {
        #expect(removed(mail) == mail)
    }
}
