/// The element that a fragment is parsed in.
public struct HTMLFragmentContext: Hashable, Sendable {
    /// The element's local name, such as `td`, or `foreignObject` in SVG.
    public let name: String
    /// The element's namespace.
    public let namespace: HTMLNamespace
    /// The mode of the element's document. It decides whether a table ends a paragraph.
    public let quirksMode: HTMLTree.QuirksMode

    /// Creates a context.
    ///
    /// - Parameters:
    ///   - name: The element's local name.
    ///   - namespace: The element's namespace.
    ///   - quirksMode: The mode of the element's document.
    public init(_ name: String, in namespace: HTMLNamespace = .html, quirksMode: HTMLTree.QuirksMode = .noQuirks) {
        self.name = name
        self.namespace = namespace
        self.quirksMode = quirksMode
    }

    /// A body element of a document without quirks.
    public static let body = HTMLFragmentContext("body")
}
