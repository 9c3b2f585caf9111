import InboxMail
import InboxMailViews
import SwiftUI

/// A ball that shows one unread thread of the inbox. Shake the device: it is marked as read, and another one appears.
///
/// Based on InboxKit's EightBall. It shows the minimum that an app needs: a sign-in, a query with a limit, and one
/// action, which also works offline.
@main
struct EightBallApp: App {
    @State private var session = MailSessionModel(scheme: "com.example.eightball", appName: "EightBall")

    var body: some Scene {
        WindowGroup {
            MailSessionView(session) { Ball().mail(session.accounts.current?.mail) }
        }
    }
}

private struct Ball: View {
    @MailThreads(where: #Predicate { $0.isInInbox && $0.isUnread }, limit: 1) private var threads
    @Environment(\.mail) private var mail
    @State private var failure: String?

    var body: some View {
        VStack(spacing: 24) {
            answer
                .foregroundStyle(Color.white)
                .multilineTextAlignment(.center)
                .frame(width: 180, height: 180)
                .padding(.all, 24)
                .background { Circle().fill(Color(red: 0.1, green: 0.15, blue: 0.5)) }
                .padding(.all, 56)
                .background { Circle().fill(Color(white: 0.08)) }
                .accessibilityElement(children: .combine)
            if let failure { Text(failure).font(.footnote).foregroundStyle(Color.red) }
            // For a device that can't be shaken, and a person who can't shake it.
            Button("Shake") { shake() }.buttonStyle(.borderedProminent).disabled(threads.isEmpty)
        }
        .frame(maxWidth: .infinity, maxHeight: .infinity)
        .background { Color.purple.opacity(0.2).ignoresSafeArea() }
        .onShake { shake() }
    }

    @ViewBuilder private var answer: some View {
        if let thread = threads.first {
            VStack(spacing: 6) {
                Text(thread.authors.map(\.displayName).formatted()).font(.headline).lineLimit(1)
                Text(thread.subject).lineLimit(3)
                Text(thread.snippet).font(.footnote).lineLimit(3)
            }
        } else {
            switch $threads?.state {
            case .loading: ProgressView()
            case .failed: Text("Reply hazy. Try again later.")
            case .loaded, nil: Text("All is read.")
            }
        }
    }

    private func shake() {
        guard let mail, let thread = threads.first else { return }
        Task {
            do {
                try await mail.markRead(thread: thread.id)
                failure = nil
            } catch {
                failure = error.localizedDescription
            }
        }
    }
}
