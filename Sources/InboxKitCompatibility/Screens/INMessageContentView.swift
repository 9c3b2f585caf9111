#if canImport(UIKit) && canImport(SwiftUI) && canImport(WebKit)
    import InboxMailViews
    public import UIKit

    /// A receiver of the size of a message's body.
    @MainActor
    public protocol INMessageContentViewDelegate: AnyObject {
        /// The size of the body is known, or has changed.
        func messageContentViewSizeDetermined(_ size: CGSize)
    }

    /// A view that shows a message's body, and measures itself: it is as high as the body. Put it into a scroll view,
    /// or into a cell whose height follows its content.
    ///
    /// The body is HTML or text. InboxKit shows HTML as it arrived; here it is cleaned, nothing of it runs or is
    /// loaded, and pictures on the web are shown on request (`MailBodyUIView`).
    public final class INMessageContentView: UIView {
        /// The receiver of the size of the body. It is held weakly.
        public weak var delegate: (any INMessageContentViewDelegate)?
        /// The message. Its body is loaded when it is set. Nil for none.
        public var message: INMessage? {
            didSet {
                if message !== oldValue { showMessage() }
            }
        }
        /// Opens the links of the body; nil for the system.
        public var openURL: (@MainActor (URL) -> Void)? {
            didSet { content?.model.openURL = openURL }
        }

        private var content: MailBodyUIView?

        /// Creates an empty view.
        public override init(frame: CGRect) { super.init(frame: frame) }

        /// The view isn't made for storyboards.
        @available(*, unavailable)
        public required init?(coder: NSCoder) { nil }

        /// Shows no message.
        public func clearContent() { message = nil }

        /// The height of the body, and any width.
        public override var intrinsicContentSize: CGSize {
            content?.intrinsicContentSize ?? CGSize(width: UIView.noIntrinsicMetric, height: 0)
        }

        private func showMessage() {
            content?.removeFromSuperview()
            content = nil
            invalidateIntrinsicContentSize()
            guard let message else { return }
            let model = message.newBodyModel()
            if let openURL { model.openURL = openURL }
            let view = MailBodyUIView(model)
            view.translatesAutoresizingMaskIntoConstraints = false
            view.onHeight = { [weak self] height in self?.measured(height) }
            addSubview(view)
            NSLayoutConstraint.activate([
                view.topAnchor.constraint(equalTo: topAnchor), view.bottomAnchor.constraint(equalTo: bottomAnchor),
                view.leadingAnchor.constraint(equalTo: leadingAnchor),
                view.trailingAnchor.constraint(equalTo: trailingAnchor),
            ])
            content = view
        }

        private func measured(_ height: CGFloat) {
            invalidateIntrinsicContentSize()
            delegate?.messageContentViewSizeDetermined(CGSize(width: bounds.width, height: height))
        }
    }
#endif
