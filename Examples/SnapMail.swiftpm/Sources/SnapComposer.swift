import Foundation
import InboxMail
import InboxMailViews
import InboxViews
import Observation
import SwiftUI
import UniformTypeIdentifiers

/// A snap that is being sent: a mail with a recipient and a picture, and nothing else.
@MainActor
@Observable
final class SnapModel {
    let mail: ComposeModel

    init(_ account: MailScreenModel) {
        mail = ComposeModel(.new, in: account.mail)
        let own = account.mailboxes.identities.first
        let names = [own?.name, own?.email, account.mail.user].compactMap { $0 }
        mail.subject = Snap.subject + (names.first { !$0.isEmpty } ?? "")
    }

    var canSend: Bool { !mail.to.isEmpty && !mail.attachments.isEmpty && !mail.isSending }

    func choose(_ url: URL) async {
        for attachment in mail.attachments { await mail.remove(attachment) }
        await mail.attach(url)
    }

    /// Returns whether it is on its way.
    func send() async -> Bool {
        await mail.send()
        // The only question may be about a mail without text, which a snap is.
        if mail.review?.canSendAnyway == true { await mail.sendAnyway() }
        return mail.phase != .writing
    }

    /// A snap that isn't sent isn't kept.
    func cancel() async { await mail.discard() }
}

/// The screen that sends a snap.
struct SnapComposer: View {
    private let snap: SnapModel
    private let end: @MainActor () -> Void
    @State private var isPicking = false
    @Environment(\.inboxTexts) private var texts

    init(_ snap: SnapModel, end: @escaping @MainActor () -> Void) { (self.snap, self.end) = (snap, end) }

    var body: some View {
        NavigationStack {
            ScrollView {
                VStack(alignment: .leading, spacing: 16) {
                    RecipientField(snap.mail.to, title: "To:")
                    Button("Choose a Picture", systemImage: "photo") { isPicking = true }.buttonStyle(.bordered)
                    ForEach(snap.mail.attachments) { file in Text("\(file.name), \(texts.size(file.size))") }
                    if snap.mail.attachingCount > 0 { ProgressView() }
                    problems
                }
                .padding()
            }
            .navigationTitle("New Snap")
            .toolbar {
                ToolbarItem(placement: .cancellationAction) {
                    Button("Cancel") {
                        Task {
                            await snap.cancel()
                            end()
                        }
                    }
                    .keyboardShortcut(.escape, modifiers: [])
                }
                ToolbarItem(placement: .confirmationAction) {
                    Button("Send", systemImage: "paperplane") { Task { if await snap.send() { end() } } }
                        .disabled(!snap.canSend)
                }
            }
        }
        .fileImporter(isPresented: $isPicking, allowedContentTypes: [.image], allowsMultipleSelection: false) {
            result in
            if case .success(let urls) = result, let url = urls.first { Task { await snap.choose(url) } }
        }
    }

    @ViewBuilder private var problems: some View {
        if let failure = snap.mail.failure { Text(texts.text(of: failure)).foregroundStyle(Color.red) }
        if let review = snap.mail.review {
            ForEach(review.problems, id: \.self) { problem in
                Text(texts.text(of: problem)).foregroundStyle(Color.red)
            }
        }
    }
}
