#if canImport(UIKit)
    import BloomreachCompatibility
    import UIKit

    /// A provider of an app's own: it keeps the default parts, and changes some of each. `scripts/check-swiftui`
    /// compiles it as an app does.
    ///
    /// ```swift
    /// Exponea.shared.appInboxProvider = ExampleAppInboxProvider()
    /// ```
    final class ExampleAppInboxProvider: DefaultAppInboxProvider {
        private static let yellow = UIColor(red: 255 / 255, green: 213 / 255, blue: 0 / 255, alpha: 1)

        override func getAppInboxButton() -> UIButton {
            let button = super.getAppInboxButton()
            button.setTitleColor(.black, for: .normal)
            button.backgroundColor = Self.yellow
            (button as? AppInboxButtonView)?.badge.backgroundColor = .black
            return button
        }

        override func getAppInboxListViewController() -> UIViewController {
            let screen = super.getAppInboxListViewController()
            guard let list = screen as? AppInboxListViewController else { return screen }
            list.onItemClickedOverride = { [weak list] message, _ in
                // The message is marked as read already. The opening is the app's to track.
                Exponea.shared.trackAppInboxOpened(message: message)
                let detail = Exponea.shared.getAppInboxDetailViewController(message.id)
                list?.present(detail, animated: true)
            }
            list.loadViewIfNeeded()
            list.statusTitle.textColor = .red
            return list
        }

        override func getAppInboxListTableViewCell(_ cell: UITableViewCell) -> UITableViewCell {
            (cell as? MessageItemCell)?.titleLabel.textColor = .black
            return cell
        }

        override func getAppInboxDetailViewController(_ messageId: String) -> UIViewController {
            let screen = super.getAppInboxDetailViewController(messageId)
            guard let detail = screen as? AppInboxDetailViewController else { return screen }
            detail.imageInset = 0
            detail.loadViewIfNeeded()
            detail.messageTitle.font = .systemFont(ofSize: 32)
            for button in [detail.actionMain, detail.action1, detail.action2, detail.action3, detail.action4] {
                button.backgroundColor = Self.yellow
            }
            return detail
        }
    }

    /// A list of an app's own, in place of the default one.
    final class ExampleListViewController: AppInboxListViewController {
        override func viewDidLoad() {
            super.viewDidLoad()
            tableView.backgroundColor = .white
        }
    }

    /// A screen with the button.
    final class ExampleViewController: UIViewController {
        private let stack = UIStackView(arrangedSubviews: [])

        override func viewDidLoad() {
            super.viewDidLoad()
            Exponea.shared.appInboxProvider = ExampleAppInboxProvider()
            // Nil before `Exponea.shared.configure(_:)`.
            if let button = Exponea.shared.getAppInboxButton() { stack.addArrangedSubview(button) }
        }

        /// A style in place of a provider of one's own.
        func useStyle(_ json: Data) throws {
            Exponea.shared.appInboxProvider = try StyledAppInboxProvider(json: json)
        }

        func showOwnList() {
            present(UINavigationController(rootViewController: ExampleListViewController()), animated: true)
        }
    }
#endif
