import Foundation
import Groundwork
import InboxMail
import Replica

/// The cost of a draft on the device: saving it, compared with C that runs the recorded statements; opening mail while
/// many drafts wait to be sent, compared with opening it without them; and typing in a large one, compared with a bare
/// value.
enum DraftBenchmark {
    private static let saves = 20
    private static let waiting = 1_000

    static func run(_ context: Context) async throws -> [Line] {
        let setting = try await context.mail()
        let template = try await setting.open(in: context.workspace.subfolder("drafts"))
        try await template.mail.sync()
        await template.mail.close()
        return [
            try await save(context, setting, template.folder), try await open(context, setting, template.folder),
            try await type(context, setting, template.folder),
        ]
    }

    private static func save(_ context: Context, _ setting: MailSetting, _ template: URL) async throws -> Line {
        let count = (context.effort.rounds + 1) * saves
        let recorded = try copy(template, context, "recorded")
        var opened: Mail?
        func openMail() async throws -> Mail {
            let mail = try await setting.open(in: recorded).mail
            // What opening reads in the background isn't part of saving either.
            try await Task.sleep(for: .milliseconds(500))
            return mail
        }
        let recording = try await Recording.of(opening: openMail) { mail in
            for number in 0..<count { try await mail.save(draft(number, in: mail)) }
            opened = mail
        }
        // Closing writes too, and isn't part of saving.
        await opened?.close()
        guard recording.transactions == count else {
            throw BenchmarkError(
                "\(count) drafts took \(recording.transactions) transactions, of \(recording.statements.prefix(6)) to "
                    + "\(recording.statements.suffix(6))"
            )
        }
        let mail = try await setting.open(in: try copy(template, context, "ours")).mail
        let raw = try RawDatabase(try storeFile(in: try copy(template, context, "raw")))
        var rounds: [(ours: Double, raw: Double)] = []
        var empty: [Double] = []
        for round in 0...context.effort.rounds {
            var (ours, theirs): ([Double], [Double]) = ([], [])
            for number in round * saves..<(round + 1) * saves {
                let draft = draft(number, in: mail)
                ours.append(try await seconds { try await mail.save(draft) })
                theirs.append(try seconds { try raw.replay(recording, number..<(number + 1)) })
                empty.append(try await seconds { try await mail.store.write(records: 1) { _ in } })
            }
            if round > 0 { rounds.append((median(ours), median(theirs))) }
        }
        let stored = try await mail.draftCount()
        await mail.close()
        guard stored == count, raw.integer("SELECT count(*) FROM draft") == count else {
            throw BenchmarkError("\(stored) of \(count) drafts were stored")
        }
        return Line(
            "save a draft",
            .time,
            rounds: rounds,
            goal: 1.5,
            note: "Mail.save(draft) of 2 kB, \(setting.count) mails; C: the same "
                + "\(recording.statements.count / count) statements, durable. A write of nothing takes "
                + "\(Int((median(empty) * 1e6).rounded())) µs"
        )
    }

    private static func open(_ context: Context, _ setting: MailSetting, _ template: URL) async throws -> Line {
        let (many, none) = (try copy(template, context, "many"), try copy(template, context, "none"))
        let mail = try await setting.open(in: many).mail
        let later = Date().addingTimeInterval(86_400)
        for number in 0..<waiting { try await mail.send(draft(number, in: mail), later: later) }
        await mail.close()
        func time(_ folder: URL) async throws -> Double {
            var opened: Mail?
            let time = try await seconds {
                let mail = try await setting.open(in: folder).mail
                _ = try await mail.threads(Query(limit: 50))
                opened = mail
            }
            await opened?.close()
            return time
        }
        var rounds: [(ours: Double, raw: Double)] = []
        for round in 0...context.effort.rounds {
            var (with, without): ([Double], [Double]) = ([], [])
            for _ in 0..<10 {
                with.append(try await time(many))
                without.append(try await time(none))
            }
            if round > 0 { rounds.append((median(with), median(without))) }
        }
        return Line(
            "open with \(waiting) waiting sends",
            .time,
            rounds: rounds,
            goal: 1.3,
            note: "Mail.open and the newest 50 threads; raw: the same without drafts"
        )
    }

    // MARK: - Typing

    private static let typedSize = 1_000_000
    /// The number of keys in a round, and the pause between two of them.
    private static let (keys, pause) = (200, Duration.milliseconds(10))

    /// Counts the writes of a store, and those on the main thread.
    private final class Writes: Sendable {
        // Guarded by the lock: the store's thread writes.
        private let counts = Locked((all: 0, onMain: 0))

        var all: Int { counts.withLock { $0.all } }
        var onMain: Int { counts.withLock { $0.onMain } }

        @Sendable func hook(_ moment: WriteMoment) {
            guard moment == .commits else { return }
            counts.withLock { counts in
                counts.all += 1
                if Thread.isMainThread { counts.onMain += 1 }
            }
        }
    }

    @MainActor private static func type(
        _ context: Context,
        _ setting: MailSetting,
        _ template: URL
    ) async throws -> Line {
        let writes = Writes()
        let folder = try copy(template, context, "typed")
        let mail = try await setting.open(in: folder) { $0.writeHook = writes.hook }.mail
        var bare = draft(0, in: mail)
        bare.text = String(repeating: "What a person writes. ", count: typedSize / 22)
        let editor = DraftEditor(bare, in: mail)
        var rounds: [(ours: Double, raw: Double)] = []
        var keystrokes: [Double] = []
        let (before, start) = (writes.all, ContinuousClock.now)
        for round in 0...context.effort.rounds {
            var (ours, theirs): ([Double], [Double]) = ([], [])
            for _ in 0..<keys {
                ours.append(seconds { editor.draft.text += "x" })
                theirs.append(seconds { bare.text += "x" })
                try await Task.sleep(for: pause)
            }
            if round > 0 {
                rounds.append((median(ours), median(theirs)))
                keystrokes += ours
            }
        }
        let duration = (ContinuousClock.now - start).seconds
        let (count, onMain) = (writes.all - before, writes.onMain)
        try await editor.close()
        let stored = try await mail.draft(id: bare.id)?.text
        let isStored = stored == editor.draft.text
        await mail.close()
        guard isStored else { throw BenchmarkError("what was typed isn't what is stored") }
        guard onMain == 0, (1...Int(duration) + 1).contains(count) else {
            throw BenchmarkError("\(count) writes in \(duration) s, \(onMain) of them on the main thread")
        }
        return Line(
            "type in a draft of 1 MB",
            .time,
            rounds: rounds,
            latencies: keystrokes,
            note: "A key in DraftEditor, on the main actor: \(count) writes in \(Int(duration)) s, none on the main "
                + "actor; raw: a bare value"
        )
    }

    private static func draft(_ number: Int, in mail: Mail) -> MailDraft {
        var draft = mail.newDraft()
        draft.to = [EmailAddress(name: "Bob", email: "bob@example.org")]
        draft.subject = "Draft \(number)"
        draft.text = String(repeating: "What a person writes. ", count: 90)
        return draft
    }

    private static func copy(_ template: URL, _ context: Context, _ name: String) throws -> URL {
        let folder = try context.workspace.subfolder("draft-\(name)").appendingPathComponent("mail")
        try FileManager.default.copyItem(at: template, to: folder)
        return folder
    }

    private static func storeFile(in folder: URL) throws -> URL {
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        guard let file = files.first(where: { $0.pathExtension == "sqlite" }) else { throw BenchmarkError("no store") }
        return file
    }
}
