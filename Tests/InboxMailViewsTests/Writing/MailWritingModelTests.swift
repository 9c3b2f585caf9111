import InboxMail
import InboxMailViews
import ReplicaTesting
import Screens
import StandardMailServer
import Testing

/// What a screen of mail presents for writing.
@Suite(.timeLimit(.minutes(5))) @MainActor
struct MailWritingModelTests {
    private let device: WritingDevice
    private let writing = MailWritingModel()

    init() async throws { device = try await WritingDevice() }

    private var composed: ComposeModel? { if case .mail(let model)? = writing.screen { model } else { nil } }

    @Test func `opening another mail or the outbox keeps the mail being written`() async throws {
        writing.write(in: device.mail)
        let first = try #require(composed)
        first.text = "Kept"
        let id = try await device.receive("Lunch")
        writing.write(.reply(to: id), in: device.mail)
        let reply = try #require(composed)
        try await until("the first one") { try await device.mail.drafts().map(\.text) == ["Kept"] }
        try await until("the reply") { reply.phase == .writing }
        reply.text = "Yes"
        let outbox = OutboxModel(device.mail)
        writing.show(outbox)
        guard case .outbox(let shown)? = writing.screen else { throw Unexpected("the outbox") }
        #expect(shown === outbox)
        try await until("the reply is kept") { try await device.mail.drafts().count == 2 }
        writing.end()
        #expect(writing.screen == nil)
    }

    @Test func `a draft of a thread is opened by its mail, of this device or of another`() async throws {
        let other = try await WritingDevice(besides: device)
        let draft = try await other.mail.save(device.draft("From there"))
        try await other.settle()
        try await device.mail.sync()
        let mail = try #require(try await device.mail.messages().first { $0.isDraft })
        #expect(try await device.mail.draft(ofMessage: mail.id)?.id == draft.id)
        writing.write(.edit(mail.id), in: device.mail)
        let model = try #require(composed)
        try await until("the draft") { model.phase == .writing }
        #expect(model.draftID == draft.id && model.text == "From there")
        let id = try await device.receive("Lunch")
        #expect(try await device.mail.draft(ofMessage: id) == nil)
        writing.write(.edit(id), in: device.mail)
        let none = try #require(composed)
        try await until("nothing") { none.phase == .gone }
        await other.mail.close()
    }
}
