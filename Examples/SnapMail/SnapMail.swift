import ExampleTerminal
import Foundation
import InboxKitCompatibility

/// Pictures for contacts, each shown once.
///
/// Based on InboxKit's SnapMail, with InboxKit's names. A snap is a mail with the subject "New snap from …" and a
/// picture. It shows drafts with files, their upload and how far they have come, and a list that is updated live.
///
///     INBOX_MAIL_PASSWORD=… inbox-snap-mail https://mail.example.com anna
@main
enum SnapMail {
    static func main() async throws {
        let account = ExampleAccount("inbox-snap-mail")
        var configuration = MailConfiguration()
        configuration.sender = account.sender
        // A snap leaves at once.
        configuration.undoSendInterval = 0
        let namespace = try await INAPIManager.shared().authenticate(
            server: account.server,
            credentials: account.credentials,
            directory: account.directory,
            configuration: configuration
        )
        let snaps = Snaps(namespace)
        await snaps.isReady()
        for await line in Terminal.lines() { await snaps.enter(line) }
        snaps.close()
        // Without the server, the next run sends what waits.
        do { try await namespace.mail.sync() } catch { Terminal.printError(error) }
        await namespace.mail.close()
    }
}

/// The list of received snaps, the one that is open, and those on their way.
@MainActor
final class Snaps: INModelProviderDelegate {
    private static let subject = "New snap from "
    private static let help = "N: look, s WHO FILE: send, Enter: list again"
    private static let pictureTypes: Set = ["png", "jpg", "jpeg", "gif", "webp", "heic"]

    private let namespace: INNamespace
    private let provider: INThreadProvider
    private let ready: (stream: AsyncStream<Void>, continuation: AsyncStream<Void>.Continuation)
    /// The folder of the picture that is on screen.
    private var openFolder: URL?
    private var outgoing: [OutgoingSnap] = []

    init(_ namespace: INNamespace) {
        self.namespace = namespace
        ready = AsyncStream.makeStream()
        provider = namespace.newThreadProvider()
        let subject = Self.subject
        provider.itemFilterPredicate = #Predicate { $0.isInInbox && $0.subject.starts(with: subject) }
        provider.itemSortDescriptors = [SortDescriptor(\.lastMessageDate, order: .reverse)]
        provider.delegate = self
    }

    /// Waits for the first fetch from the server, whether it succeeds or fails.
    func isReady() async {
        for await _ in ready.stream { break }
        list()
    }

    func enter(_ line: String) async {
        if openFolder != nil {
            close()
            return list()
        }
        do {
            if line.isEmpty {
                list()
            } else if let snap = Terminal.item("o \(line)", after: "o", in: provider.models) {
                try await look(at: snap)
            } else if line.hasPrefix("s ") {
                try await send(line.dropFirst(2).split(separator: " ").map(String.init))
            } else {
                Terminal.printLine(Self.help)
            }
        } catch {
            Terminal.printError(error)
        }
    }

    private func list() {
        for (index, snap) in provider.models.enumerated() {
            let authors = snap.value.authors.map(\.displayName).joined(separator: ", ")
            Terminal.printLine("\(index + 1) \(authors), \(snap.lastMessageDate.formatted(.iso8601))")
        }
        Terminal.printLine(provider.models.isEmpty ? "No snaps. \(Self.help)" : Self.help)
    }

    // MARK: - Looking

    /// Shows a snap, as a file until the next line. Before it is shown, it is moved to the trash, on all devices: it
    /// isn't shown a second time, even if the program ends now.
    private func look(at snap: INThread) async throws {
        guard let file = try await picture(of: snap) else {
            return Terminal.printLine("The mail has no picture.")
        }
        let bytes = try await file.data()
        try await namespace.mail.trash(threads: [snap.ID])
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("snap-\(UUID())")
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        openFolder = folder
        let picture = folder.appendingPathComponent(file.filename ?? "snap")
        try bytes.write(to: picture)
        Terminal.printLine("\(file.filename ?? "snap"), \(bytes.count) bytes: \(picture.path)")
        Terminal.printLine("Enter: close it for good")
    }

    private func picture(of snap: INThread) async throws -> INFile? {
        for id in snap.messageIDs.reversed() {
            guard let message = try await namespace.message(withID: id) else { continue }
            try await message.reload()
            if let file = message.files.first(where: { $0.mimetype?.hasPrefix("image/") ?? false }) { return file }
        }
        return nil
    }

    /// Removes the picture that is on screen.
    func close() {
        if let openFolder { try? FileManager.default.removeItem(at: openFolder) }
        openFolder = nil
    }

    // MARK: - Sending

    private func send(_ words: [String]) async throws {
        guard words.count > 1, let path = words.last else { return Terminal.printLine(Self.help) }
        let picture = URL(fileURLWithPath: path)
        guard Self.pictureTypes.contains(picture.pathExtension.lowercased()) else {
            return Terminal.printLine(
                "Only pictures can be sent: \(Self.pictureTypes.sorted().joined(separator: ", "))"
            )
        }
        guard let recipient = try await contact(words.dropLast().joined(separator: " ")) else { return }
        let identity = try await namespace.mail.identities().first
        let names = [identity?.name, identity?.email, namespace.emailAddress].compactMap { $0 }
        let draft = INDraft(in: namespace)
        draft.to = [recipient]
        draft.subject = Self.subject + (names.first { !$0.isEmpty } ?? "")
        try await draft.addAttachment(INFile(contentsOf: picture))
        outgoing.append(OutgoingSnap(draft, to: recipient.displayName))
        do {
            try await draft.send()
        } catch {
            // What can't be sent isn't kept either.
            try await draft.delete()
            throw error
        }
    }

    /// Returns the contact of an address, or of the beginning of a name that is known from the mails on this machine.
    private func contact(_ text: String) async throws -> EmailAddress? {
        if let address = EmailAddress.read(text).addresses.first { return address }
        let newest = Query<MailMessage>(sort: [SortDescriptor(\.receivedAt, order: .reverse)], limit: 1_000)
        var found: [EmailAddress] = []
        for address in try await namespace.mail.messages(newest).flatMap({ $0.from + $0.to + $0.cc })
        where address.displayName.lowercased().hasPrefix(text.lowercased()) {
            if !found.contains(where: { $0.isSame(as: address) }) { found.append(address) }
        }
        if found.count == 1 { return found[0] }
        Terminal.printLine(
            found.isEmpty
                ? "No contact has the name \(text). An address works too."
                : "Several contacts: \(found.map(\.typedText).joined(separator: ", "))"
        )
        return nil
    }

    // MARK: - INModelProviderDelegate

    func provider(_ provider: INModelProvider, dataAltered changeSet: INModelProviderChangeSet) {
        for change in changeSet.changes where change.type == .add && isListed {
            guard let snap = change.item as? INThread else { continue }
            Terminal.printLine("+ \(change.index + 1) \(snap.subject)")
        }
    }

    func provider(_ provider: INModelProvider, dataFetchFailed error: any Error) {
        Terminal.printError(error)
        isListed = true
        ready.continuation.yield()
    }

    func providerDataFetchCompleted(_ provider: INModelProvider) {
        isListed = true
        ready.continuation.yield()
    }

    /// Whether the first list was printed, so that what is added later is new.
    private var isListed = false
}

/// A snap on its way, which prints how far it has come.
@MainActor
private final class OutgoingSnap {
    private let draft: INDraft
    private let recipient: String
    private var printed = ""
    private var observer: (any NSObjectProtocol)?

    init(_ draft: INDraft, to recipient: String) {
        self.draft = draft
        self.recipient = recipient
        observer = NotificationCenter.default.addObserver(
            forName: INModelObjectChangedNotification,
            object: draft,
            queue: nil
        ) { [weak self] _ in MainActor.assumeIsolated { self?.show() } }
    }

    private func show() {
        let line =
            switch draft.state {
            case .unsent: ""
            case .sending: progressLine
            case .sent: "Sent to \(recipient)."
            case .sendingFailed: "Not sent to \(recipient): \(reason)"
            }
        guard !line.isEmpty, line != printed else { return }
        printed = line
        Terminal.printLine(line)
    }

    /// The upload in quarters.
    private var progressLine: String {
        let quarters = Int((draft.files.first?.uploadProgress ?? 0) * 4)
        return "To \(recipient): \(quarters * 25) %"
    }

    private var reason: String {
        switch draft.value.state {
        case .refused(let refusal): refusal.description
        default: "the server's answer was lost. It may have been sent."
        }
    }
}
