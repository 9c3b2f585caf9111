import Eventually
import Foundation
import Groundwork
import InboxMail
import ReplicaTesting
import RunningMailServer
import StandardMailServer
import Testing

/// The progress of files on their way to the server.
@Suite(.timeLimit(.minutes(5))) struct UploadProgressTests {
    /// What a screen sees of a draft's uploads.
    private final class Watcher: Sendable {
        let seen = Locked<[[String: Double]]>([])
        private let task: Locked<Task<Void, Never>?> = Locked(nil)

        init(_ progress: AsyncStream<[String: Double]>, note: @escaping @Sendable ([String: Double]) -> Void = { _ in })
        {
            let task = Task { [seen] in
                for await value in progress {
                    seen.withLock { $0.append(value) }
                    note(value)
                }
            }
            self.task.withLock { $0 = task }
        }

        func values(of file: String) -> [Double] { seen.withLock { $0 }.compactMap { $0[file] } }
        var last: [String: Double]? { seen.withLock { $0.last } }
        func end() { task.withLock { $0?.cancel() } }
    }

    @Test func `over a real connection, the fraction grows while a file is sent`() async throws {
        try await WritingServer.run { server in
            let seen = Locked(0.0)
            let bytes = Data(repeating: 7, count: 8_000_000)
            let device = try await server.device { configuration in
                configuration.transport = PacedTransport { sent in
                    seen.withLock { $0 } >= Double(sent * 100 / bytes.count) / 100
                }
            }
            try await device.mail.sync()
            var draft = device.mail.newDraft()
            draft.to = [EmailAddress(email: "bob@example.org")]
            draft.text = "Hello"
            draft = try await device.mail.attach(bytes, named: "large.bin", to: draft)
            let file = try #require(draft.attachments.first)
            let watcher = Watcher(device.mail.uploadProgress(ofDraft: draft.id)) { values in
                seen.withLock { $0 = max($0, values[file.id] ?? 0) }
            }
            try await server.settle(device)
            #expect(try await eventually { watcher.last == [:] && watcher.seen.withLock { $0.count } > 1 })
            let steps = watcher.values(of: file.id)
            #expect(steps.contains { $0 > 0 && $0 < 1 } && steps == steps.sorted())
            let saved = try #require(try await device.mail.draft(id: draft.id))
            #expect(saved.attachments.map(\.isUploaded) == [true])
            #expect(try await device.mail.contents(of: file, inDraft: draft.id) == bytes)
            watcher.end()
            await device.end()
        }
    }

    @Test func `each file has its own progress, and a failed upload has none`() async throws {
        try await StandardDevice.run { server, device in
            var draft = try await device.mail.attach(
                Data(repeating: 1, count: 200),
                named: "a.txt",
                to: device.mail.draft("Hi")
            )
            draft = try await device.mail.attach(Data(repeating: 2, count: 100), named: "b.txt", to: draft)
            let (one, other) = (draft.attachments[0].id, draft.attachments[1].id)
            let watcher = Watcher(device.mail.uploadProgress(ofDraft: draft.id))
            let elsewhere = Watcher(device.mail.uploadProgress(ofDraft: "another"))
            device.transport.answer { request in
                guard request.url.path.hasPrefix("/upload/") else { return server.answer(request) }
                SendProgress.listener?(50)
                let file = request.body?.count == 200 ? one : other
                #expect(try await eventually { (watcher.last?[file] ?? 0) > 0 })
                if file == other { throw TransportError.unreachable("lost") }
                return server.answer(request)
            }
            await #expect(throws: MailError.self) { try await device.settle() }
            #expect(try await eventually { watcher.last == [:] })
            #expect(watcher.values(of: one).contains(0.25) && watcher.values(of: other).contains(0.5))
            #expect(elsewhere.seen.withLock { $0.flatMap(\.keys) } == [])
            let kept = try #require(try await device.draft(draft.id))
            #expect(kept.attachments.map(\.isUploaded) == [true, false])
            watcher.end()
            elsewhere.end()
        }
    }
}
