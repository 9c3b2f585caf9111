#if canImport(WebKit) && (canImport(UIKit) || canImport(AppKit))
    import Foundation
    import WebKit

    /// ``WebLoadRules``, compiled once for all web views.
    @MainActor
    enum WebRuleList {
        private static var list: WKContentRuleList?

        static func compiled() async throws -> WKContentRuleList {
            if let list { return list }
            let compiled = try await WKContentRuleListStore.default().compileContentRuleList(
                forIdentifier: WebLoadRules.identifier,
                encodedContentRuleList: WebLoadRules.json
            )
            guard let compiled else { throw CocoaError(.featureUnsupported) }
            list = compiled
            return compiled
        }
    }
#endif
