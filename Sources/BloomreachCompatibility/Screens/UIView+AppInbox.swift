#if canImport(UIKit)
    import InboxClient
    import InboxViews
    public import UIKit

    extension UIView {
        /// Adds the view to another one that it fills.
        func fill(_ view: UIView) {
            translatesAutoresizingMaskIntoConstraints = false
            view.addSubview(self)
            NSLayoutConstraint.activate([
                topAnchor.constraint(equalTo: view.topAnchor), bottomAnchor.constraint(equalTo: view.bottomAnchor),
                leadingAnchor.constraint(equalTo: view.leadingAnchor),
                trailingAnchor.constraint(equalTo: view.trailingAnchor),
            ])
        }
    }

    extension UIStackView {
        /// Adds the button that `Exponea.shared.getAppInboxButton()` returned, or nothing if it returned nil.
        @nonobjc
        public func addArrangedSubview(_ button: UIButton?) {
            if let button { addArrangedSubview(button as UIView) }
        }
    }

    extension UIViewController {
        /// Shows the screen, in a navigation controller, over the topmost screen of the app.
        func presentOverAll() {
            let top = UIApplication.shared.topmostScreen
            top?.present(UINavigationController(rootViewController: self), animated: true)
        }
    }

    extension LinkOpener {
        /// Opens links as the system does, a universal link by its app, and web pages that are meant for a browser
        /// within the app in one.
        @MainActor
        static var system: LinkOpener {
            let open: URLHandler = { url in UIApplication.shared.open(url) }
            return LinkOpener(
                inApp: { url in if !InAppBrowser.show(url) { open(url) } },
                systemBrowser: open,
                app: open
            )
        }
    }
#endif
