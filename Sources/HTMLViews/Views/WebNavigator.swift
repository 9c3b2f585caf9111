#if canImport(WebKit) && (canImport(UIKit) || canImport(AppKit))
    import Foundation
    import WebKit

    /// The delegate of a web view: ``WebNavigationRules`` in WebKit's terms.
    @MainActor
    final class WebNavigator: NSObject, WKNavigationDelegate, WKUIDelegate {
        weak var view: HTMLWebView?
        var rules = WebNavigationRules()

        func webView(
            _ webView: WKWebView,
            decidePolicyFor navigationAction: WKNavigationAction
        ) async -> WKNavigationActionPolicy {
            switch rules.decide(WebNavigation(navigationAction)) {
            case .allow: return .allow
            case .cancel: return .cancel
            case .link(let url):
                view?.activate(url)
                return .cancel
            }
        }

        func webView(
            _ webView: WKWebView,
            decidePolicyFor navigationResponse: WKNavigationResponse
        ) async -> WKNavigationResponsePolicy {
            let isShown = WebNavigationRules.shows(
                isPage: navigationResponse.isForMainFrame,
                canShow: navigationResponse.canShowMIMEType
            )
            return isShown ? .allow : .cancel
        }

        func webView(_ webView: WKWebView, didFinish navigation: WKNavigation!) { view?.measure() }

        func webViewWebContentProcessDidTerminate(_ webView: WKWebView) { view?.restart() }

        func webView(
            _ webView: WKWebView,
            createWebViewWith configuration: WKWebViewConfiguration,
            for navigationAction: WKNavigationAction,
            windowFeatures: WKWindowFeatures
        ) -> WKWebView? {
            // A link for a new window was decided about before.
            nil
        }
    }

    extension WebNavigation {
        @MainActor
        fileprivate init(_ action: WKNavigationAction) {
            let cause: Cause =
                switch action.navigationType {
                case .linkActivated: .link
                case .formSubmitted, .formResubmitted: .form
                case .backForward: .history
                case .reload: .reload
                default: .other
                }
            self.init(
                url: action.request.url?.absoluteString ?? "",
                cause: cause,
                target: action.targetFrame.map { $0.isMainFrame ? .page : .frame } ?? .newWindow,
                // A load by the app has no source, although the property isn't optional. It is read of links alone.
                isFromPage: cause != .link || action.sourceFrame.isMainFrame,
                isDownload: action.shouldPerformDownload
            )
        }
    }
#endif
