#if canImport(UIKit) && canImport(SafariServices)
    package import Foundation
    import SafariServices
    package import UIKit

    /// Shows web pages within the app.
    @MainActor
    package enum InAppBrowser {
        /// Shows a web page over the topmost screen of the app.
        ///
        /// - Returns: Whether it is shown: not if the app has no screen, or if the address isn't one of the web.
        package static func show(_ url: URL) -> Bool {
            let scheme = url.scheme?.lowercased()
            // For any other scheme it throws an exception of Objective-C.
            guard scheme == "https" || scheme == "http", let top = UIApplication.shared.topmostScreen else {
                return false
            }
            top.present(SFSafariViewController(url: url), animated: true)
            return true
        }
    }

    extension UIApplication {
        /// The screen that covers all others; nil if the app shows none.
        package var topmostScreen: UIViewController? {
            let scenes = connectedScenes.compactMap { $0 as? UIWindowScene }
            let scene = scenes.first { $0.activationState == .foregroundActive } ?? scenes.first
            guard var top = scene?.keyWindow?.rootViewController else { return nil }
            while let presented = top.presentedViewController, !presented.isBeingDismissed { top = presented }
            return top
        }
    }
#endif
