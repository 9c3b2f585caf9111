import Foundation
import InboxMail
import InboxMailViews
import SwiftUI

/// The card on top of the pile, and the buttons for it.
struct TriageScreen: View {
    private let session: MailSessionModel
    @State private var triage: TriageModel

    init(_ session: MailSessionModel) {
        self.session = session
        _triage = State(initialValue: TriageModel(session.accounts))
    }

    var body: some View {
        NavigationStack {
            content
                .frame(maxWidth: .infinity, maxHeight: .infinity)
                .background { Color.blue.opacity(0.12).ignoresSafeArea() }
                .navigationTitle("Triage")
                .toolbar {
                    ToolbarItemGroup(placement: .primaryAction) {
                        if triage.canUndo {
                            Button("Undo", systemImage: "arrow.uturn.backward") { Task { await triage.undo() } }
                                .keyboardShortcut("z")
                        }
                        accounts
                    }
                }
                .safeAreaInset(edge: .bottom) {
                    if triage.hasFailed {
                        HStack {
                            Text("That didn’t work, and nothing was changed.")
                            Button("Close") { triage.dismissFailure() }
                        }
                        .padding()
                    }
                }
        }
    }

    private var accounts: some View {
        Menu("Accounts", systemImage: "person.crop.circle") {
            Button("Add Account", systemImage: "plus") { session.beginSignIn() }
            ForEach(session.accounts.accounts) { account in
                Button("Sign Out: \(account.mail.user)", systemImage: "rectangle.portrait.and.arrow.right") {
                    Task { await session.signOut(of: account.mail) }
                }
            }
        }
    }

    @ViewBuilder private var content: some View {
        switch triage.state {
        case .loading: ProgressView()
        case .failed: again("The mail couldn’t be loaded.")
        case .cards(let cards):
            if let card = cards.first {
                VStack(spacing: 0) {
                    Text("\(cards.count) to go").font(.footnote).foregroundStyle(.secondary).padding()
                    ThreadCard(card).id(card.id)
                    buttons(card)
                }
            } else {
                again("All done.")
            }
        }
    }

    private func again(_ text: String) -> some View {
        VStack(spacing: 12) {
            Text(text).font(.title2)
            Button("Start Over") { Task { await triage.startOver() } }.buttonStyle(.bordered)
        }
    }

    private func buttons(_ card: TriageModel.Card) -> some View {
        HStack(spacing: 24) {
            Button("Delete", systemImage: "trash") { Task { await triage.perform(.trash, card) } }
                .keyboardShortcut(.delete)
                .disabled(!card.account.canTrash)
            Button("Keep", systemImage: "tray") { triage.keep(card) }.keyboardShortcut("k")
            if let change = card.account.mainChange(of: [card.thread]) {
                Button("Archive", systemImage: "archivebox") { Task { await triage.perform(change, card) } }
                    .keyboardShortcut("a", modifiers: [.control, .command])
            }
        }
        .buttonStyle(.borderedProminent)
        .padding()
    }
}

/// A thread: who wrote, the subject, and the latest mail's text.
private struct ThreadCard: View {
    private let thread: MailThread
    @State private var model: ThreadModel

    init(_ card: TriageModel.Card) {
        thread = card.thread
        // A look at a card doesn't mark it as read.
        _model = State(initialValue: ThreadModel(card.thread.id, in: card.account.mail, marksRead: false))
    }

    var body: some View {
        ScrollView {
            VStack(alignment: .leading, spacing: 8) {
                Text(thread.authors.map(\.displayName).formatted()).font(.headline)
                Text(thread.subject.isEmpty ? "No Subject" : thread.subject).font(.title2)
                Text(thread.lastMessageDate.formatted()).font(.footnote).foregroundStyle(.secondary)
                if thread.messageCount > 1 {
                    Text("\(thread.messageCount) messages").font(.footnote).foregroundStyle(.secondary)
                }
            }
            .frame(maxWidth: .infinity, alignment: .leading)
            .padding()
            if let last = model.entries.last { MailBodyView(model.body(of: last.message)) } else { ProgressView() }
        }
        .background { RoundedRectangle(cornerRadius: 20).fill(.regularMaterial) }
        .frame(maxWidth: 600)
        .padding(.horizontal)
    }
}
