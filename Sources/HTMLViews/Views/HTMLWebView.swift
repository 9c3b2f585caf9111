#if canImport(WebKit) && (canImport(UIKit) || canImport(AppKit))
    public import Foundation
    import HTMLCleaning
    import WebKit
    #if canImport(UIKit)
        public import UIKit

        /// The view of the platform: UIKit's, or AppKit's.
        public typealias HTMLPlatformView = UIView
    #else
        public import AppKit

        /// The view of the platform: UIKit's, or AppKit's.
        public typealias HTMLPlatformView = NSView
    #endif

    /// A view that shows the document of an ``HTMLPage``, and is as high as it.
    ///
    /// The document is in a `WKWebView` in which nothing runs and nothing is loaded: content has no JavaScript, the
    /// data store is in memory, a content rule list blocks every load, and no navigation leads away. Links that the
    /// person activates go to ``onLink``.
    ///
    /// Its intrinsic height is the document's, and ``onHeight`` reports it. Embed the view in a scroll view.
    public final class HTMLWebView: HTMLPlatformView {
        /// Receives the address of a link that the person has activated.
        public var onLink: ((String) -> Void)?
        /// Receives the height of the document in points, when it has changed.
        public var onHeight: ((Double) -> Void)?
        /// Receives the reason why the document can't be shown. WebKit couldn't compile the rule list, or its process
        /// has ended twice.
        public var onFailure: ((any Error) -> Void)?
        /// The page that is shown.
        public private(set) var page: HTMLPage?

        private let webView: WKWebView
        private let navigator = WebNavigator()
        private var height = HTMLHeight()
        private var loading: Task<Void, Never>?
        private var measuredWidth = 0.0
        private var hasRestarted = false

        /// Creates an empty view.
        public override init(frame: CGRect) {
            webView = WKWebView.forDocuments()
            super.init(frame: frame)
            webView.navigationDelegate = navigator
            webView.uiDelegate = navigator
            navigator.view = self
            addSubview(webView)
        }

        /// The view isn't made for storyboards.
        @available(*, unavailable)
        public required init?(coder: NSCoder) { nil }

        deinit { loading?.cancel() }

        /// Shows a page. A document that is shown already isn't loaded again.
        public func show(_ page: HTMLPage) {
            let isShown = self.page?.document == page.document
            self.page = page
            webView.name(page.title)
            guard !isShown else { return }
            hasRestarted = false
            load(page)
        }

        private func load(_ page: HTMLPage) {
            webView.setBackground(page.document.background)
            _ = height.begin()
            loading?.cancel()
            loading = Task { [weak self] in
                do {
                    let rules = try await WebRuleList.compiled()
                    guard !Task.isCancelled, let self else { return }
                    // Nothing is loaded without the rules.
                    webView.configuration.userContentController.removeAllContentRuleLists()
                    webView.configuration.userContentController.add(rules)
                    navigator.rules.willLoadDocument()
                    webView.loadHTMLString(page.document.markup, baseURL: nil)
                } catch {
                    guard !Task.isCancelled else { return }
                    self?.onFailure?(error)
                }
            }
        }

        // MARK: - Reports of the navigator

        func activate(_ url: String) { onLink?(url) }

        func measure() {
            let round = height.begin()
            measuredWidth = bounds.width
            Task { [weak self] in
                // In a world of its own. It runs although the content's scripts don't (WKWebpagePreferences.h on
                // `allowsContentJavaScript`: "your application can still execute JavaScript").
                let result = try? await self?.webView.evaluateJavaScript(
                    HTMLHeight.script,
                    in: nil,
                    contentWorld: .defaultClient
                )
                guard let self, height.measured(result as? Double, in: round) else { return }
                invalidateIntrinsicContentSize()
                onHeight?(height.points)
            }
        }

        /// Loads the document again after WebKit's process has ended, once.
        func restart() {
            guard let page else { return }
            guard !hasRestarted else { return onFailure?(CocoaError(.featureUnsupported)) ?? () }
            hasRestarted = true
            load(page)
        }

        // MARK: - Layout

        /// The document's height, and any width.
        public override var intrinsicContentSize: CGSize {
            CGSize(width: HTMLPlatformView.noIntrinsicMetric, height: height.points)
        }

        private func layOut() {
            webView.frame = bounds
            if bounds.width != measuredWidth, page != nil, !webView.isLoading { measure() }
        }

        #if canImport(UIKit)
            /// Lays out the document. Its height is measured again where the width has changed.
            public override func layoutSubviews() {
                super.layoutSubviews()
                layOut()
            }
        #else
            /// Lays out the document. Its height is measured again where the width has changed.
            public override func layout() {
                super.layout()
                layOut()
            }
        #endif
    }
#endif
