#if canImport(UIKit)
    public import UIKit

    /// A row of the default list, with Bloomreach's names of its parts.
    open class MessageItemCell: UITableViewCell {
        /// The flag of an unread message.
        public let readFlag = UIView(frame: .zero)
        /// The time.
        public let receivedTime = UILabel(frame: .zero)
        /// The title.
        public let titleLabel = UILabel(frame: .zero)
        /// The text.
        public let messageLabel = UILabel(frame: .zero)
        /// The picture.
        public let messageImage = UIImageView(frame: .zero)

        private lazy var time = ShownLabel(receivedTime)
        private lazy var title = ShownLabel(titleLabel)
        private lazy var message = ShownLabel(messageLabel)
        private lazy var picture = ShownPicture(messageImage)

        static let identifier = "MessageItemCell"

        /// Loads the picture of a row that is shown from then on.
        var pictureLoader: ShownPicture.Loader? {
            get { picture.loader }
            set { picture.loader = newValue }
        }

        /// Creates an empty row.
        public override init(style: UITableViewCell.CellStyle, reuseIdentifier: String?) {
            super.init(style: style, reuseIdentifier: reuseIdentifier)
            readFlag.backgroundColor = .systemBlue
            readFlag.layer.cornerRadius = 4
            receivedTime.textColor = .secondaryLabel
            messageLabel.textColor = .secondaryLabel
            let texts = UIStackView(arrangedSubviews: [receivedTime, titleLabel, messageLabel])
            texts.axis = .vertical
            texts.spacing = 4
            let row = UIStackView(arrangedSubviews: [texts, messageImage])
            row.spacing = 12
            row.alignment = .top
            for view in [readFlag, row] {
                view.translatesAutoresizingMaskIntoConstraints = false
                contentView.addSubview(view)
            }
            NSLayoutConstraint.activate([
                readFlag.leadingAnchor.constraint(equalTo: contentView.leadingAnchor, constant: 8),
                readFlag.centerYAnchor.constraint(equalTo: contentView.centerYAnchor),
                readFlag.widthAnchor.constraint(equalToConstant: 8),
                readFlag.heightAnchor.constraint(equalToConstant: 8),
                row.leadingAnchor.constraint(equalTo: readFlag.trailingAnchor, constant: 8),
                row.trailingAnchor.constraint(equalTo: contentView.trailingAnchor, constant: -16),
                row.topAnchor.constraint(equalTo: contentView.topAnchor, constant: 12),
                row.bottomAnchor.constraint(equalTo: contentView.bottomAnchor, constant: -12),
                messageImage.widthAnchor.constraint(equalToConstant: 72),
            ])
        }

        /// The view isn't made for storyboards.
        @available(*, unavailable)
        public required init?(coder: NSCoder) { nil }

        /// Shows a row.
        open func showData(_ row: AppInboxRow) {
            readFlag.isHidden = !row.readFlag.isVisible
            if let color = row.readFlag.color { readFlag.backgroundColor = UIColor(color) }
            time.show(row.receivedTime)
            title.show(row.title)
            message.show(row.content)
            picture.show(row.picture)
            if let color = row.backgroundColor { backgroundColor = UIColor(color) }
            isAccessibilityElement = true
            accessibilityLabel = row.accessibilityLabel
            accessibilityTraits = .button
        }
    }
#endif
