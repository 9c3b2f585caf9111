#if canImport(UIKit)
    import InboxViews
    import Observation
    public import UIKit

    /// The default screen of a message, with Bloomreach's names of its parts. Load the view before a part is changed:
    /// `loadViewIfNeeded()`.
    open class AppInboxDetailViewController: UIViewController {
        /// The model whose state is shown.
        public let model: AppInboxDetailModel
        /// The parts of a message that isn't HTML.
        public let pushContainer = UIScrollView(frame: .zero)
        /// A message in HTML.
        public let htmlContainer = UIScrollView(frame: .zero)
        /// The picture, or the placeholder.
        public let messageImage = UIImageView(frame: .zero)
        /// The time.
        public let receivedTime = UILabel(frame: .zero)
        /// The title.
        public let messageTitle = UILabel(frame: .zero)
        /// The text.
        public let message = UILabel(frame: .zero)
        /// The buttons.
        public let actionsContainer = UIStackView(frame: .zero)
        /// The button for the message's own link or its main action.
        public let actionMain = UIButton(type: .system, primaryAction: nil)
        /// The button for the first action.
        public let action1 = UIButton(type: .system, primaryAction: nil)
        /// The button for the second action.
        public let action2 = UIButton(type: .system, primaryAction: nil)
        /// The button for the third action.
        public let action3 = UIButton(type: .system, primaryAction: nil)
        /// The button for the fourth action.
        public let action4 = UIButton(type: .system, primaryAction: nil)
        /// The buttons for further actions.
        public private(set) var moreActions: [UIButton] = []

        /// The space above the picture, in points, as ``AppInboxDetailModel/imageInset``.
        public var imageInset: Double {
            get { model.imageInset }
            set { model.imageInset = newValue }
        }

        private let status = StatusPresenter()
        private lazy var picture = PicturePresenter(messageImage, width: 1_024)
        private lazy var time = LabelPresenter(receivedTime)
        private lazy var heading = LabelPresenter(messageTitle)
        private lazy var text = LabelPresenter(message)
        private lazy var main = ButtonPresenter(actionMain)
        private lazy var actions = [action1, action2, action3, action4].map { ButtonPresenter($0) }
        private lazy var top = messageImage.topAnchor.constraint(equalTo: pushContainer.contentLayoutGuide.topAnchor)
        private var detail: AppInboxDetail?
        private var html: MessageHTMLModel?

        /// Creates the screen of a model.
        public init(_ model: AppInboxDetailModel) {
            self.model = model
            super.init(nibName: nil, bundle: nil)
        }

        /// The screen isn't made for storyboards.
        @available(*, unavailable)
        public required init?(coder: NSCoder) { nil }

        /// Adds the views, and shows the model's state.
        open override func viewDidLoad() {
            super.viewDidLoad()
            view.backgroundColor = .systemBackground
            receivedTime.textColor = .secondaryLabel
            pushContainer.contentInsetAdjustmentBehavior = .never
            pushContainer.fill(view)
            htmlContainer.fill(view)
            status.add(to: view)
            addParts()
            for (index, button) in [action1, action2, action3, action4].enumerated() { addTap(to: button, index) }
            actionMain.addAction(
                UIAction { [weak self] _ in self?.tap(self?.detail?.mainButton) },
                for: .touchUpInside
            )
            let template = model.template
            show(template)
            for action in actions { action.show(template.mainButton?.look) }
            update()
        }

        /// Fetches the message again, if that has failed before.
        open override func viewWillAppear(_ animated: Bool) {
            super.viewWillAppear(animated)
            model.retry()
        }

        private func addParts() {
            actionsContainer.axis = .vertical
            actionsContainer.spacing = 8
            for button in [actionMain, action1, action2, action3, action4] {
                actionsContainer.addArrangedSubview(button)
            }
            let texts = UIStackView(arrangedSubviews: [receivedTime, messageTitle, message, actionsContainer])
            texts.axis = .vertical
            texts.spacing = 12
            texts.translatesAutoresizingMaskIntoConstraints = false
            pushContainer.addSubview(messageImage)
            pushContainer.addSubview(texts)
            messageImage.translatesAutoresizingMaskIntoConstraints = false
            let content = pushContainer.contentLayoutGuide
            NSLayoutConstraint.activate([
                top, messageImage.leadingAnchor.constraint(equalTo: content.leadingAnchor),
                messageImage.trailingAnchor.constraint(equalTo: content.trailingAnchor),
                messageImage.widthAnchor.constraint(equalTo: pushContainer.frameLayoutGuide.widthAnchor),
                texts.topAnchor.constraint(equalTo: messageImage.bottomAnchor, constant: 16),
                texts.leadingAnchor.constraint(equalTo: content.leadingAnchor, constant: 16),
                texts.trailingAnchor.constraint(equalTo: content.trailingAnchor, constant: -16),
                texts.bottomAnchor.constraint(equalTo: content.bottomAnchor, constant: -32),
            ])
        }

        // MARK: - The model's state

        /// Shows the model's state, and again after its next change.
        private func update() {
            let (content, status, title, inset) = withObservationTracking {
                (model.content, model.status, model.title, model.imageInset)
            } onChange: { [weak self] in
                Task { @MainActor in self?.update() }
            }
            self.title = title
            top.constant = CGFloat(inset)
            self.status.show(status)
            detail = nil
            var shown: UIView?
            switch content {
            case .loading, .failed: break
            case .push(let detail):
                self.detail = detail
                show(detail)
                shown = pushContainer
            case .html(let html):
                show(html)
                shown = htmlContainer
            }
            pushContainer.isHidden = shown !== pushContainer
            htmlContainer.isHidden = shown !== htmlContainer
        }

        private func show(_ detail: AppInboxDetail) {
            picture.show(detail.picture)
            time.show(detail.receivedTime)
            heading.show(detail.title)
            text.show(detail.content)
            main.show(detail.mainButton?.look)
            while actions.count < detail.buttons.count {
                let button = UIButton(type: .system, primaryAction: nil)
                addTap(to: button, actions.count)
                actions.append(ButtonPresenter(button))
                actionsContainer.addArrangedSubview(button)
                moreActions.append(button)
            }
            for (index, action) in actions.enumerated() {
                action.show(detail.buttons.indices.contains(index) ? detail.buttons[index].look : nil)
            }
        }

        private func show(_ html: MessageHTMLModel) {
            guard html !== self.html else { return }
            self.html = html
            for view in htmlContainer.subviews where view is MessageHTMLUIView { view.removeFromSuperview() }
            let view = MessageHTMLUIView(html)
            view.translatesAutoresizingMaskIntoConstraints = false
            htmlContainer.addSubview(view)
            let content = htmlContainer.contentLayoutGuide
            NSLayoutConstraint.activate([
                view.topAnchor.constraint(equalTo: content.topAnchor, constant: 8),
                view.bottomAnchor.constraint(equalTo: content.bottomAnchor, constant: -8),
                view.leadingAnchor.constraint(equalTo: content.leadingAnchor, constant: 8),
                view.trailingAnchor.constraint(equalTo: content.trailingAnchor, constant: -8),
                view.widthAnchor.constraint(equalTo: htmlContainer.frameLayoutGuide.widthAnchor, constant: -16),
            ])
        }

        private func addTap(to button: UIButton, _ index: Int) {
            button.addAction(
                UIAction { [weak self] _ in
                    guard let buttons = self?.detail?.buttons, buttons.indices.contains(index) else { return }
                    self?.tap(buttons[index])
                },
                for: .touchUpInside
            )
        }

        private func tap(_ button: AppInboxDetail.Button?) {
            if let button { model.tap(button) }
        }
    }
#endif
