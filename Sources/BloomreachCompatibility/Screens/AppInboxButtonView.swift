#if canImport(UIKit)
    import Observation
    public import UIKit

    /// The default button, with the number of unread messages in its corner.
    public final class AppInboxButtonView: UIButton {
        /// The model whose state is shown.
        public let model: AppInboxButtonModel
        /// The badge with the number of unread messages.
        public let badge = UILabel(frame: .zero)

        private lazy var shown = ButtonPresenter(self)

        /// Creates the button of a model.
        public init(_ model: AppInboxButtonModel) {
            self.model = model
            super.init(frame: .zero)
            setTitleColor(.label, for: .normal)
            tintColor = .label
            badge.font = .preferredFont(forTextStyle: .caption2)
            badge.textColor = .white
            badge.backgroundColor = .systemRed
            badge.textAlignment = .center
            badge.layer.cornerRadius = 8
            badge.clipsToBounds = true
            badge.translatesAutoresizingMaskIntoConstraints = false
            addSubview(badge)
            NSLayoutConstraint.activate([
                badge.topAnchor.constraint(equalTo: topAnchor),
                badge.trailingAnchor.constraint(equalTo: trailingAnchor),
                badge.heightAnchor.constraint(equalToConstant: 16),
                badge.widthAnchor.constraint(greaterThanOrEqualToConstant: 16),
            ])
            addAction(UIAction { [weak model] _ in model?.tap() }, for: .touchUpInside)
            updateLook()
            updateBadge()
        }

        /// The view isn't made for storyboards.
        @available(*, unavailable)
        public required init?(coder: NSCoder) { nil }

        /// The size of the content, with room for the badge: the content is in the middle, and would be below it.
        public override var intrinsicContentSize: CGSize {
            var size = super.intrinsicContentSize
            if !badge.isHidden { size.width += 2 * max(16, badge.intrinsicContentSize.width) }
            if hasIconAndText { size.width += Self.gap }
            return size
        }

        /// The space between the icon and the text, in points.
        private static let gap: CGFloat = 8

        private var hasIconAndText: Bool { currentImage != nil && !(currentTitle ?? "").isEmpty }

        /// Moves the icon and the text apart: a button without a configuration has them side by side.
        public override func layoutSubviews() {
            super.layoutSubviews()
            guard hasIconAndText else { return }
            let isRightToLeft = effectiveUserInterfaceLayoutDirection == .rightToLeft
            let space = isRightToLeft ? -Self.gap / 2 : Self.gap / 2
            imageView?.frame.origin.x -= space
            titleLabel?.frame.origin.x += space
        }

        private func updateLook() {
            let look = withObservationTracking {
                model.look
            } onChange: { [weak self] in
                Task { @MainActor in self?.updateLook() }
            }
            shown.show(look)
        }

        private func updateBadge() {
            let (text, value) = withObservationTracking {
                (model.badge, model.accessibilityValue)
            } onChange: { [weak self] in
                Task { @MainActor in self?.updateBadge() }
            }
            badge.text = text
            badge.isHidden = text == nil
            invalidateIntrinsicContentSize()
            accessibilityValue = value
        }
    }
#endif
