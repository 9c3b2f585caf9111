#if canImport(UIKit)
    import UIKit

    /// The views that show an ``AppInboxStatus``.
    @MainActor
    final class StatusPresenter {
        let container = UIStackView(frame: .zero)
        let progress = UIActivityIndicatorView(style: .large)
        let titleView = UILabel(frame: .zero)
        let messageView = UILabel(frame: .zero)

        private lazy var title = LabelPresenter(titleView)
        private lazy var message = LabelPresenter(messageView)

        /// Adds the views to the middle of a view.
        func add(to view: UIView) {
            for part in [progress, titleView, messageView] { container.addArrangedSubview(part) }
            container.axis = .vertical
            container.alignment = .center
            container.spacing = 8
            container.translatesAutoresizingMaskIntoConstraints = false
            view.addSubview(container)
            NSLayoutConstraint.activate([
                container.centerYAnchor.constraint(equalTo: view.centerYAnchor),
                container.leadingAnchor.constraint(equalTo: view.leadingAnchor, constant: 20),
                container.trailingAnchor.constraint(equalTo: view.trailingAnchor, constant: -20),
            ])
        }

        /// Shows a status, or nothing.
        func show(_ status: AppInboxStatus?) {
            container.isHidden = status == nil
            if let shown = status?.progress {
                if let color = shown.color { progress.color = UIColor(color) }
                if let color = shown.backgroundColor { progress.backgroundColor = UIColor(color) }
                progress.startAnimating()
            } else {
                progress.stopAnimating()
            }
            title.show(status?.title)
            message.show(status?.message)
            titleView.textAlignment = .center
            messageView.textAlignment = .center
        }
    }
#endif
