import Eventually
import Foundation
import Groundwork
import InboxMail
import InboxMailViews
import InboxTesting
import Screens
import Testing

/// A file of a mail on screen.
@Suite(.timeLimit(.minutes(5))) @MainActor
struct MailFileModelTests {
    private func file(
        of device: MailDevice,
        _ name: String = "menu.pdf",
        _ type: String = "application/pdf"
    ) async throws -> MailFile {
        device.deliver("File", files: [(name, type, Array("Soup of the day".utf8))])
        try await device.mail.sync()
        let id = try #require(try await device.mail.messages(inThread: try await device.thread("File")).last?.id)
        return try #require(try await device.mail.body(of: id).attachments.first)
    }

    @Test func `a file is downloaded, previewed, and there the next time, offline too`() async throws {
        let device = try await MailDevice()
        let file = try await file(of: device)
        let model = MailFileModel(file, in: device.mail)
        guard case .remote = model.state else {
            Issue.record("\(model.state)")
            return
        }
        await model.download()
        let url = try #require(model.state.url)
        #expect(
            try String(contentsOf: url, encoding: .utf8) == "Soup of the day" && url.lastPathComponent == "menu.pdf"
        )
        #expect(model.preview == nil)
        device.disconnect()
        await model.open()
        #expect(model.preview == url)
        #expect(MailFileModel(file, in: device.mail).state.url == url)
    }

    @Test func `a tap on a file downloads it first`() async throws {
        let device = try await MailDevice()
        let model = MailFileModel(try await file(of: device), in: device.mail)
        await model.open()
        #expect(model.preview != nil && model.preview == model.state.url)
    }

    @Test func `offline, a download fails, and can be tried again`() async throws {
        let device = try await MailDevice()
        let model = MailFileModel(try await file(of: device), in: device.mail)
        device.disconnect()
        await model.open()
        guard case .failed(let error as MailError) = model.state else {
            Issue.record("\(model.state)")
            return
        }
        #expect(error.code == .notConnected && model.preview == nil)
        device.reconnect()
        await model.download()
        #expect(model.state.url != nil)
    }

    @Test func `a download in progress is shared, and can be ended`() async throws {
        let device = try await MailDevice()
        let model = MailFileModel(try await file(of: device), in: device.mail)
        let gate = Gate()
        device.answerDownloads(at: gate)
        let first = Task { await model.download() }
        #expect(
            try await eventually {
                if case .downloading(let part) = model.state { abs(part - 0.5) < 0.1 } else { false }
            }
        )
        model.cancel()
        guard case .remote = model.state else {
            Issue.record("\(model.state)")
            return
        }
        await gate.open()
        await first.value
        #expect(model.state.url == nil)
        // What had arrived isn't lost: the rest, or all of it, arrives now.
        async let one: Void = model.download()
        async let two: Void = model.download()
        _ = await (one, two)
        #expect(model.state.url != nil)
        model.cancel()
        #expect(model.state.url != nil)
    }

    @Test func `a file that was removed from the device is downloaded again`() async throws {
        let device = try await MailDevice()
        let model = MailFileModel(try await file(of: device), in: device.mail)
        await model.download()
        try FileManager.default.removeItem(at: try #require(model.state.url))
        await model.open()
        #expect(FileManager.default.fileExists(atPath: try #require(model.preview).path))
    }

    @Test(arguments: [
        ("menu.pdf", "application/pdf", true), ("a.png", "image/png", true), ("notes", "text/plain", true),
        ("page.html", "application/pdf", false), ("page.pdf", "text/html", false), ("a.svg", "image/png", false),
        ("a", "image/svg+xml", false), ("A.HTM", "text/plain", false), ("mail.eml", "message/rfc822", false),
        ("profile.mobileconfig", "application/octet-stream", false),
    ])
    func `files that can run code or load content aren't previewed`(
        _ name: String,
        _ type: String,
        _ canPreview: Bool
    ) async throws {
        let device = try await MailDevice()
        let model = MailFileModel(try await file(of: device, name, type), in: device.mail)
        #expect(model.canPreview == canPreview)
        await model.open()
        #expect((model.preview != nil) == canPreview)
    }
}
