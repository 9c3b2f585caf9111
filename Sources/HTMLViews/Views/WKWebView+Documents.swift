#if canImport(WebKit) && (canImport(UIKit) || canImport(AppKit))
    import Foundation
    import HTMLCleaning
    import WebKit
    #if canImport(UIKit)
        import UIKit
    #else
        import AppKit
    #endif

    extension WKWebView {
        /// Creates a web view in which nothing of a document runs or stays.
        static func forDocuments() -> WKWebView {
            let configuration = WKWebViewConfiguration()
            configuration.websiteDataStore = .nonPersistent()
            configuration.defaultWebpagePreferences.allowsContentJavaScript = false
            configuration.preferences.javaScriptCanOpenWindowsAutomatically = false
            configuration.mediaTypesRequiringUserActionForPlayback = .all
            #if canImport(UIKit)
                // An address in a text isn't a link unless the document says so.
                configuration.dataDetectorTypes = []
                let view = WKWebView(frame: .zero, configuration: configuration)
                view.isOpaque = false
                view.scrollView.bounces = false
                view.scrollView.contentInsetAdjustmentBehavior = .never
            #else
                let view = DocumentWebView(frame: .zero, configuration: configuration)
            #endif
            // A preview would load the link's page.
            view.allowsLinkPreview = false
            view.allowsBackForwardNavigationGestures = false
            return view
        }

        /// Sets the accessibility label of the view.
        func name(_ title: String) {
            #if canImport(UIKit)
                accessibilityLabel = title
            #else
                setAccessibilityLabel(title)
            #endif
        }

        /// Sets the color around the document, and behind it until it is drawn.
        func setBackground(_ background: HTMLDocument.Background) {
            switch background {
            case .scheme:
                #if canImport(UIKit)
                    backgroundColor = .clear
                    scrollView.backgroundColor = .clear
                #endif
                underPageBackgroundColor = .clear
            case .color(let color, _):
                let parts = [color.red, color.green, color.blue].map { CGFloat($0) / 255 }
                #if canImport(UIKit)
                    let color = UIColor(red: parts[0], green: parts[1], blue: parts[2], alpha: 1)
                    backgroundColor = color
                    scrollView.backgroundColor = color
                #else
                    let color = NSColor(srgbRed: parts[0], green: parts[1], blue: parts[2], alpha: 1)
                #endif
                underPageBackgroundColor = color
            }
        }
    }

    #if !canImport(UIKit)
        /// A web view that leaves vertical scrolling to the scroll view around it.
        private final class DocumentWebView: WKWebView {
            override func scrollWheel(with event: NSEvent) {
                if abs(event.scrollingDeltaX) > abs(event.scrollingDeltaY) {
                    super.scrollWheel(with: event)
                } else {
                    nextResponder?.scrollWheel(with: event)
                }
            }
        }
    #endif
#endif
