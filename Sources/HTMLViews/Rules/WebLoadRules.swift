/// The content rule list of web views: every load is blocked.
///
/// Pictures are in a document as `data:` URLs, so a page needs nothing from elsewhere. The document's own policy and
/// the web view's delegate block the same loads; this list is applied by the network process, whatever the page is.
package enum WebLoadRules {
    /// The name under which WebKit stores the compiled list. It changes with the rules.
    package static let identifier = "swift-inbox.no-loads.1"

    /// The rules, in the JSON of Safari's content blockers (Apple, "Creating a content blocker").
    ///
    /// A later rule overrides earlier ones: pictures in `data:` URLs, and the document itself, whose address is
    /// `about:blank`.
    package static let json = """
        [
          {"trigger": {"url-filter": ".*"}, "action": {"type": "block"}},
          {"trigger": {"url-filter": "^data:image/", "resource-type": ["image"]},
           "action": {"type": "ignore-previous-rules"}},
          {"trigger": {"url-filter": "^about:blank$", "resource-type": ["document"]},
           "action": {"type": "ignore-previous-rules"}}
        ]
        """
}
