#if canImport(UIKit) && canImport(SwiftUI)
    public import InboxMailViews
    public import SwiftUI
    import UIKit

    /// A screen that writes a draft, to be presented: `ComposeScreen` in UIKit.
    public final class INComposeViewController: UIHostingController<ComposeScreen> {
        /// The state of the screen.
        public let model: ComposeModel

        /// Creates a screen.
        ///
        /// - Parameters:
        ///   - draft: The draft.
        ///   - onEnd: Called when the mail is ordered to be sent, discarded or closed, after the screen was dismissed.
        public init(draft: INDraft, onEnd: (@MainActor (ComposePhase) -> Void)? = nil) {
            model = draft.composeModel()
            super.init(rootView: ComposeScreen(model, onEnd: onEnd))
        }

        /// The screen isn't made by a storyboard.
        @available(*, unavailable)
        public required init?(coder: NSCoder) { return nil }
    }

    /// A screen that signs in, to be presented or shown first: `SignInScreen` in UIKit.
    public final class INSignInViewController: UIHostingController<SignInScreen> {
        /// The state of the screen.
        public let model: SignInModel

        /// Creates a screen.
        ///
        /// - Parameter model: The state of the screen (`INAPIManager.signInModel(email:completion:)`).
        public init(_ model: SignInModel) {
            self.model = model
            super.init(rootView: SignInScreen(model))
        }

        /// The screen isn't made by a storyboard.
        @available(*, unavailable)
        public required init?(coder: NSCoder) { return nil }
    }
#endif
