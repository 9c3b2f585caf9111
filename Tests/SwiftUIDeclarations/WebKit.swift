// Declarations of the part of WebKit's API that this package uses, from Apple's public documentation: over UIKit's
// views where its module is there, else over AppKit's.
//
// Members of the delegates are optional in WebKit. Those that this package implements are required here, so that a
// signature that WebKit wouldn't call is found.
//
// https://developer.apple.com/documentation/webkit
@_exported import Foundation

// Where Foundation's requests are on Linux.
@_exported import FoundationNetworking

#if canImport(UIKit)
    public import UIKit

    public typealias WKPlatformView = UIView
    public typealias WKPlatformColor = UIColor
#else
    public import AppKit

    public typealias WKPlatformView = NSView
    public typealias WKPlatformColor = NSColor
#endif

@MainActor
open class WKWebView: WKPlatformView {
    public init(frame: CGRect, configuration: WKWebViewConfiguration) {
        self.configuration = configuration
        super.init(frame: frame)
    }
    public required init?(coder: NSCoder) { nil }
    public let configuration: WKWebViewConfiguration
    open weak var navigationDelegate: (any WKNavigationDelegate)?
    open weak var uiDelegate: (any WKUIDelegate)?
    open var isLoading: Bool { false }
    open var allowsLinkPreview = true
    open var allowsBackForwardNavigationGestures = false
    open var underPageBackgroundColor: WKPlatformColor!
    #if canImport(UIKit)
        open var scrollView: UIScrollView { UIScrollView(frame: .zero) }
    #endif
    @discardableResult
    open func loadHTMLString(_ string: String, baseURL: URL?) -> WKNavigation? {
        let navigation = WKNavigation()
        Task { navigationDelegate?.webView(self, didFinish: navigation) }
        return navigation
    }
    open func evaluateJavaScript(
        _ javaScript: String,
        in frame: WKFrameInfo? = nil,
        contentWorld: WKContentWorld
    ) async throws -> Any? {
        // The only script of the package's measures a document.
        320.0
    }
}

public struct WKAudiovisualMediaTypes: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let audio = Self(rawValue: 1), video = Self(rawValue: 2), all = Self(rawValue: UInt.max)
}

public struct WKDataDetectorTypes: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
}

@MainActor
open class WKWebViewConfiguration: NSObject {
    open var websiteDataStore = WKWebsiteDataStore.nonPersistent()
    open var defaultWebpagePreferences: WKWebpagePreferences! = WKWebpagePreferences()
    open var preferences = WKPreferences()
    open var userContentController = WKUserContentController()
    open var mediaTypesRequiringUserActionForPlayback: WKAudiovisualMediaTypes = []
    #if canImport(UIKit)
        open var dataDetectorTypes: WKDataDetectorTypes = []
    #endif
}

@MainActor
open class WKWebsiteDataStore: NSObject {
    open class func nonPersistent() -> WKWebsiteDataStore { WKWebsiteDataStore() }
}

@MainActor
open class WKWebpagePreferences: NSObject {
    open var allowsContentJavaScript = true
}

@MainActor
open class WKPreferences: NSObject {
    open var javaScriptCanOpenWindowsAutomatically = false
}

@MainActor
open class WKUserContentController: NSObject {
    open func add(_ contentRuleList: WKContentRuleList) {}
    open func removeAllContentRuleLists() {}
}

@MainActor
open class WKContentRuleList: NSObject {}

@MainActor
open class WKContentRuleListStore: NSObject {
    open class func `default`() -> WKContentRuleListStore! { WKContentRuleListStore() }
    open func compileContentRuleList(
        forIdentifier identifier: String!,
        encodedContentRuleList: String!
    ) async throws -> WKContentRuleList? { WKContentRuleList() }
}

@MainActor
open class WKContentWorld: NSObject {
    open class var defaultClient: WKContentWorld { WKContentWorld() }
}

@MainActor
open class WKNavigation: NSObject {}

@MainActor
open class WKWindowFeatures: NSObject {}

@MainActor
open class WKFrameInfo: NSObject {
    open var isMainFrame: Bool { true }
}

public enum WKNavigationType: Int, Sendable {
    case linkActivated, formSubmitted, backForward, reload, formResubmitted
    case other = -1
}

public enum WKNavigationActionPolicy: Int, Sendable { case cancel, allow, download }
public enum WKNavigationResponsePolicy: Int, Sendable { case cancel, allow, download }

@MainActor
open class WKNavigationAction: NSObject {
    open var sourceFrame: WKFrameInfo { WKFrameInfo() }
    open var targetFrame: WKFrameInfo? { nil }
    open var navigationType: WKNavigationType { .other }
    open var request: URLRequest { fatalError() }
    open var shouldPerformDownload: Bool { false }
}

@MainActor
open class WKNavigationResponse: NSObject {
    open var isForMainFrame: Bool { true }
    open var canShowMIMEType: Bool { true }
}

@MainActor
public protocol WKNavigationDelegate: NSObjectProtocol {
    func webView(
        _ webView: WKWebView,
        decidePolicyFor navigationAction: WKNavigationAction
    ) async -> WKNavigationActionPolicy
    func webView(
        _ webView: WKWebView,
        decidePolicyFor navigationResponse: WKNavigationResponse
    ) async -> WKNavigationResponsePolicy
    func webView(_ webView: WKWebView, didFinish navigation: WKNavigation!)
    func webViewWebContentProcessDidTerminate(_ webView: WKWebView)
}

@MainActor
public protocol WKUIDelegate: NSObjectProtocol {
    func webView(
        _ webView: WKWebView,
        createWebViewWith configuration: WKWebViewConfiguration,
        for navigationAction: WKNavigationAction,
        windowFeatures: WKWindowFeatures
    ) -> WKWebView?
}
