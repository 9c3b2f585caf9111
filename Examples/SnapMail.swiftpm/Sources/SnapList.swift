import Foundation
import InboxMail
import InboxMailViews
import InboxViews
import SwiftUI

/// The snaps that have arrived. Press one and hold: the picture is there until the finger is lifted, and then gone.
struct SnapList: View {
    private let session: MailSessionModel
    private let account: MailScreenModel
    @MailThreads(where: Self.snaps) private var snaps
    @State private var peek: Peek
    @State private var sending: SnapModel?

    init(_ session: MailSessionModel, _ account: MailScreenModel) {
        (self.session, self.account) = (session, account)
        _peek = State(initialValue: Peek(account.mail))
    }

    private static var snaps: Predicate<MailThread> {
        let subject = Snap.subject
        return #Predicate<MailThread> { $0.isInInbox && $0.subject.starts(with: subject) }
    }

    var body: some View {
        NavigationStack {
            content
                .navigationTitle("Snaps")
                .toolbar {
                    ToolbarItemGroup(placement: .primaryAction) {
                        Button("New Snap", systemImage: "camera") { sending = SnapModel(account) }.keyboardShortcut("n")
                        Menu("Account", systemImage: "person.crop.circle") {
                            Button("Sign Out: \(account.mail.user)", systemImage: "rectangle.portrait.and.arrow.right")
                            {
                                Task { await session.signOut(of: account.mail) }
                            }
                        }
                    }
                }
                .safeAreaInset(edge: .bottom) { OutgoingSnaps(outbox: account.outbox) }
        }
        .overlay { if let url = peek.picture { PeekView(url: url) } }
        .sheet(isPresented: isSending) {
            if let sending { SnapComposer(sending) { self.sending = nil } }
        }
    }

    private var isSending: Binding<Bool> {
        Binding {
            sending != nil
        } set: { isPresented in
            if !isPresented { sending = nil }
        }
    }

    @ViewBuilder private var content: some View {
        switch $snaps?.state {
        case .loading, nil: ProgressView()
        case .failed: Text("The snaps couldn’t be loaded.").foregroundStyle(.secondary)
        case .loaded:
            List {
                if snaps.isEmpty { Text("No snaps. Send one, and wait for the answer.").foregroundStyle(.secondary) }
                ForEach(snaps) { snap in row(snap) }
            }
            .listStyle(.plain)
            .refreshable { await account.refresh() }
        }
    }

    private func row(_ snap: MailThread) -> some View {
        HStack {
            Image(systemName: "square.fill").foregroundStyle(Color.purple).accessibilityHidden(true)
            VStack(alignment: .leading, spacing: 2) {
                Text(snap.authors.map(\.displayName).formatted()).font(.headline)
                Text(peek.text(of: snap)).font(.footnote).foregroundStyle(.secondary)
            }
            Spacer()
            Text(snap.lastMessageDate.formatted(date: .omitted, time: .shortened)).font(.footnote)
        }
        .contentShape(Rectangle())
        .onLongPressGesture(minimumDuration: 60) {
        } onPressingChanged: { isPressing in
            if isPressing { peek.begin(snap) } else { peek.end() }
        }
        .accessibilityElement(children: .combine)
        .accessibilityAddTraits(.isButton)
        // Without a finger to hold, it is there until the next action.
        .accessibilityAction { if peek.picture == nil { peek.begin(snap) } else { peek.end() } }
    }
}

/// The picture, over everything.
private struct PeekView: View {
    let url: URL

    var body: some View {
        AsyncImage(url: url) { phase in
            if let image = phase.image {
                image.resizable().aspectRatio(contentMode: .fit)
            } else if phase.error != nil {
                Text("This picture can’t be shown.")
            } else {
                ProgressView()
            }
        }
        .frame(maxWidth: .infinity, maxHeight: .infinity)
        .background { Color(white: 0).ignoresSafeArea() }
    }
}

/// The snaps on their way, and what wasn't sent.
private struct OutgoingSnaps: View {
    let outbox: OutboxModel
    @Environment(\.inboxTexts) private var texts

    var body: some View {
        if let item = outbox.items.first {
            HStack {
                Text(texts.text(of: item.status))
                if case .uploading(let fraction) = item.status { ProgressView(value: fraction) }
                Spacer()
                if item.needsPerson {
                    Button("Send Again") { Task { await outbox.retry(item.id) } }
                    Button("Discard") { Task { await outbox.discard(item.id) } }
                }
            }
            .font(.subheadline)
            .padding()
            .background { RoundedRectangle(cornerRadius: 12).fill(.regularMaterial) }
            .padding(.horizontal)
        }
    }
}
