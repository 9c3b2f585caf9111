#if canImport(UIKit) && canImport(WebKit)
    import HTMLViews
    import InboxCards
    import InboxModel
    import Observation
    public import UIKit

    /// A message's HTML in UIKit, for apps without SwiftUI. It is as high as the message: put it into a scroll view,
    /// and set the ``MessageHTMLModel/linkOpener`` of its model.
    public final class MessageHTMLUIView: UIView {
        /// The model whose state is shown.
        public let model: MessageHTMLModel

        private let webView = HTMLWebView(frame: .zero)
        private let label = UILabel(frame: .zero)
        private let indicator = UIActivityIndicatorView(style: .medium)
        private lazy var button = UIButton(
            primaryAction: UIAction(title: model.texts[.tryAgain]) { [weak self] _ in self?.model.retry() }
        )
        private lazy var stack = UIStackView(arrangedSubviews: [indicator, label, button, webView])

        /// Creates the view of a message.
        public init(_ model: MessageHTMLModel) {
            self.model = model
            super.init(frame: .zero)
            label.numberOfLines = 0
            label.font = .preferredFont(forTextStyle: .body)
            label.adjustsFontForContentSizeCategory = true
            stack.axis = .vertical
            stack.spacing = 12
            stack.translatesAutoresizingMaskIntoConstraints = false
            addSubview(stack)
            NSLayoutConstraint.activate([
                stack.topAnchor.constraint(equalTo: topAnchor), stack.bottomAnchor.constraint(equalTo: bottomAnchor),
                stack.leadingAnchor.constraint(equalTo: leadingAnchor),
                stack.trailingAnchor.constraint(equalTo: trailingAnchor),
            ])
            webView.onLink = { [weak model] url in Task { try? await model?.clicked(url) } }
            webView.onFailure = { [weak model] error in model?.fail(error) }
            registerForTraitChanges(
                [UITraitUserInterfaceStyle.self, UITraitPreferredContentSizeCategory.self]
            ) { (view: MessageHTMLUIView, _) in
                view.setNeedsLayout()
            }
            update()
        }

        /// The view isn't made for storyboards.
        @available(*, unavailable)
        public required init?(coder: NSCoder) { nil }

        /// Shows the message for the view's width, its colors and the text size.
        public override func layoutSubviews() {
            super.layoutSubviews()
            guard bounds.width > 0 else { return }
            let size = UIFontMetrics(forTextStyle: .body).scaledValue(
                for: HTMLViewport.bodySize,
                compatibleWith: traitCollection
            )
            model.show(
                in: HTMLViewport(
                    width: bounds.width,
                    isDark: traitCollection.userInterfaceStyle == .dark,
                    textScale: size / HTMLViewport.bodySize
                )
            )
        }

        /// Shows the model's state, and again after its next change.
        private func update() {
            withObservationTracking {
                show(model.state)
            } onChange: { [weak self] in
                Task { @MainActor in self?.update() }
            }
        }

        private func show(_ state: MessageHTMLState) {
            var text: String?
            var (isLoading, canRetry) = (false, false)
            switch state {
            case .loading: isLoading = true
            case .shown(let page):
                webView.show(page)
                webView.layer.cornerRadius = page.backgroundRadius
                webView.clipsToBounds = page.backgroundRadius > 0
            case .withoutHTML: text = model.message?.body
            case .gone: text = model.texts[.messageGone]
            case .failed: (text, canRetry) = (model.texts[.messageFailed], true)
            }
            label.text = text
            label.isHidden = text == nil
            button.isHidden = !canRetry
            webView.isHidden = state.page == nil
            isLoading ? indicator.startAnimating() : indicator.stopAnimating()
        }
    }
#endif
