#if canImport(SwiftUI)
    import InboxCards
    import InboxMail
    import InboxViews
    public import SwiftUI

    /// An app's accounts on screen: a sign-in while there is none, the app's content when there are.
    ///
    /// ```swift
    /// @State private var session = MailSessionModel(scheme: "com.example.mail", appName: "Example")
    ///
    /// var body: some View {
    ///     MailSessionView(session) { MailScreen(session.accounts) }
    /// }
    /// ```
    ///
    /// It opens the accounts when it appears. Where a person has to sign in again, the button of the screens below does
    /// it (``SwiftUICore/View/onMailSignIn(_:)``); the list of mailboxes has a menu to add an account and to sign out.
    public struct MailSessionView<Content: View>: View {
        private let session: MailSessionModel
        private let content: @MainActor () -> Content
        @Environment(\.inboxTexts) private var texts

        /// Creates a view for the accounts.
        ///
        /// - Parameters:
        ///   - session: The accounts.
        ///   - content: The view while there is an account.
        public init(_ session: MailSessionModel, @ViewBuilder content: @escaping @MainActor () -> Content) {
            (self.session, self.content) = (session, content)
        }

        /// The view.
        public var body: some View {
            Group {
                if !session.accounts.accounts.isEmpty {
                    accounts
                } else if session.state == .opening {
                    MailPlaceholderView(.loading(nil)).frame(maxHeight: .infinity)
                } else if let signIn = session.signIn {
                    SignInScreen(signIn).id(ObjectIdentifier(signIn)).safeAreaInset(edge: .bottom) { failure }
                } else {
                    notOpened.frame(maxHeight: .infinity)
                }
            }
            .environment(\.mailSession, session)
            .task { [session] in await session.open() }
        }

        private var accounts: some View {
            content()
                .onMailSignIn { [session] mail in session.beginSignIn(address: mail.user) }
                .safeAreaInset(edge: .top) { bars }
                .sheet(isPresented: isSigningIn) { SessionSignIn(session: session) }
        }

        private var isSigningIn: Binding<Bool> {
            Binding {
                session.signIn != nil
            } set: { isPresented in
                if !isPresented { session.endSignIn() }
            }
        }

        private var notOpened: some View {
            VStack(spacing: 12) {
                Text(texts[.mailNotOpened]).multilineTextAlignment(.center)
                Button(texts[.tryAgain]) { Task { await session.open() } }.buttonStyle(.borderedProminent)
                if session.state == .open {
                    Button(texts[.addAccount]) { session.beginSignIn() }.buttonStyle(.bordered)
                }
            }
            .padding()
            .frame(maxWidth: .infinity)
        }

        @ViewBuilder private var bars: some View {
            if !session.unopened.isEmpty {
                ComposeBar(text: "\(session.unopened.joined(separator: ", ")): \(texts[.mailNotOpened])", symbol: nil) {
                    Button(texts[.tryAgain]) { Task { await session.open() } }
                }
            }
            if let mail = session.askedAbout {
                ComposeBar(text: "\(mail.user): \(texts[.unsavedQuestion])", symbol: "exclamationmark.triangle") {
                    Button(texts[.signOutAnyway]) { Task { await session.signOutAnyway() } }
                    Button(texts[.cancel]) { session.staySignedIn() }
                }
            }
            failure
        }

        @ViewBuilder private var failure: some View {
            if session.hasSignOutFailed {
                ComposeBar(text: texts[.actionFailed], symbol: "exclamationmark.triangle") {
                    Button(texts[.close]) { session.dismissFailure() }
                }
            }
        }
    }

    /// A sign-in over the mail of other accounts.
    private struct SessionSignIn: View {
        let session: MailSessionModel
        @Environment(\.inboxTexts) private var texts

        var body: some View {
            if let signIn = session.signIn {
                NavigationStack {
                    SignInScreen(signIn).id(ObjectIdentifier(signIn))
                        .toolbar {
                            ToolbarItem(placement: .cancellationAction) {
                                Button(texts[.close]) { session.endSignIn() }.keyboardShortcut(.escape, modifiers: [])
                            }
                        }
                }
            }
        }
    }

    extension EnvironmentValues {
        /// The app's accounts, for the menu in the list of mailboxes; nil where the app has its own.
        var mailSession: MailSessionModel? {
            get { self[SessionKey.self] }
            set { self[SessionKey.self] = newValue }
        }
    }

    private struct SessionKey: EnvironmentKey {
        static var defaultValue: MailSessionModel? { nil }
    }
#endif
