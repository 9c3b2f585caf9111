#if canImport(UIKit) && canImport(SwiftUI) && canImport(WebKit)
    import InboxMail
    public import InboxMailViews
    import SwiftUI
    public import UIKit

    /// A screen with a list of an account's threads: InboxKit's document has a view controller for it, without a name.
    ///
    /// It has a navigation bar of its own, a search, swipe actions with undo, and a selection (`ThreadList`).
    public final class INThreadListViewController: UIViewController {
        /// The account of the threads.
        public let namespace: INNamespace
        /// The state of the screen, which has the place that is shown.
        public let model: MailScreenModel
        /// Receives the thread that the person has chosen.
        public var didSelectThread: (@MainActor (INThread) -> Void)?

        /// Creates a screen of an account's inbox.
        public init(namespace: INNamespace) {
            self.namespace = namespace
            model = MailScreenModel(namespace.mail)
            super.init(nibName: nil, bundle: nil)
        }

        /// The screen isn't made for storyboards.
        @available(*, unavailable)
        public required init?(coder: NSCoder) { nil }

        /// Shows the list.
        public override func viewDidLoad() {
            super.viewDidLoad()
            let list = ThreadListRoot(model: model) { [weak self] thread in self?.select(thread) }
            let host = UIHostingController(rootView: list)
            addChild(host)
            let content: UIView = host.view
            content.translatesAutoresizingMaskIntoConstraints = false
            view.addSubview(content)
            NSLayoutConstraint.activate([
                content.topAnchor.constraint(equalTo: view.topAnchor),
                content.bottomAnchor.constraint(equalTo: view.bottomAnchor),
                content.leadingAnchor.constraint(equalTo: view.leadingAnchor),
                content.trailingAnchor.constraint(equalTo: view.trailingAnchor),
            ])
            host.didMove(toParent: self)
        }

        private func select(_ thread: MailThread) {
            Task {
                // A thread that was deleted meanwhile isn't opened.
                guard let thread = try? await namespace.thread(withID: thread.id) else { return }
                didSelectThread?(thread)
            }
        }
    }

    private struct ThreadListRoot: View {
        let model: MailScreenModel
        let open: @MainActor (MailThread) -> Void

        var body: some View {
            NavigationStack { ThreadList(model, open: open) }
        }
    }
#endif
