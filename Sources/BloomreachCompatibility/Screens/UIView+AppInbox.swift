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

    extension UIApplication {
        /// Lets the app's delegate continue a universal link, as with one from another app.
        ///
        /// - Returns: Whether it is the app's.
        fileprivate func continues(_ url: URL) -> Bool {
            let activity = NSUserActivity(activityType: NSUserActivityTypeBrowsingWeb)
            activity.webpageURL = url
            // It is an optional part of the protocol.
            let application = delegate?.application(_:continue:restorationHandler:)
            return application?(self, activity) { _ in } ?? false
        }
    }

    extension LinkOpener {
        /// Opens links as the system does, a universal link by its app, and web pages that are meant for a browser
        /// within the app in one. A universal link of this app is for its delegate
        /// (`application(_:continue:restorationHandler:)`).
        @MainActor
        static var system: LinkOpener {
            let open: URLHandler = { url in UIApplication.shared.open(url) }
            return LinkOpener(
                handler: { destination, action, _ in
                    guard let url = UniversalLink.url(of: action, to: destination) else { return false }
                    return UIApplication.shared.continues(url)
                },
                inApp: { url in if !InAppBrowser.show(url) { open(url) } },
                systemBrowser: open,
                app: open
            )
        }
    }
#endif
