#if canImport(SwiftUI)
    public import InboxMail
    public import SwiftUI

    extension EnvironmentValues {
        /// The mail of the views and property wrappers below; nil until one is set, and after sign-out. They show
        /// nothing without one.
        public var mail: Mail? {
            get { self[MailKey.self] }
            set { self[MailKey.self] = newValue }
        }

        var mailFooter: MailFooter? {
            get { self[FooterKey.self] }
            set { self[FooterKey.self] = newValue }
        }

        var mailSignIn: MailSignInAction? {
            get { self[SignInKey.self] }
            set { self[SignInKey.self] = newValue }
        }
    }

    /// An app's view below a mail.
    struct MailFooter {
        let body: @MainActor (MailMessage) -> AnyView
    }

    /// An app's action where the person has to sign in again.
    struct MailSignInAction {
        let body: @MainActor (Mail) -> Void
    }

    private struct MailKey: EnvironmentKey {
        static var defaultValue: Mail? { nil }
    }

    private struct FooterKey: EnvironmentKey {
        static var defaultValue: MailFooter? { nil }
    }

    private struct SignInKey: EnvironmentKey {
        static var defaultValue: MailSignInAction? { nil }
    }

    extension View {
        /// Sets the mail of the views and property wrappers below.
        ///
        /// ```swift
        /// MailScreen().mail(mail)
        /// ```
        ///
        /// - Parameter mail: The mail; nil after sign-out.
        public func mail(_ mail: Mail?) -> some View { environment(\.mail, mail) }

        /// Sets the view below each mail of a thread that is shown in full. Buttons for replies are there already, with
        /// ``SwiftUICore/View/mailWriting(_:)``.
        public func mailFooter<Footer: View>(@ViewBuilder _ footer: @escaping @MainActor (MailMessage) -> Footer)
            -> some View
        {
            environment(\.mailFooter, MailFooter { message in AnyView(footer(message)) })
        }

        /// Sets the action of the button that is shown where the person has to sign in again. Without an action there
        /// is no button.
        public func onMailSignIn(_ signIn: @escaping @MainActor (Mail) -> Void) -> some View {
            environment(\.mailSignIn, MailSignInAction(body: signIn))
        }
    }
#endif
