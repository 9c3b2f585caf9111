/// The HTML parser of the WHATWG HTML Standard (section 13.2), with scripting disabled.
///
/// It reads every input, and builds the tree that a browser builds. Time and memory are linear in the input's size, no
/// matter what the input is; ``HTMLLimits`` bound both. Nothing recurses, so no input can exhaust the stack.
///
/// ```swift
/// let tree = HTMLParser.parse("<p>Hello, <b>world")
/// print(tree.serialized())
/// // <html><head></head><body><p>Hello, <b>world</b></p></body></html>
/// ```
public enum HTMLParser {
    /// Parses a document.
    ///
    /// - Parameters:
    ///   - bytes: The document in UTF-8. A byte order mark is removed, and invalid sequences become U+FFFD, as the
    ///     Encoding Standard's UTF-8 decoder does. CR and CR LF become LF.
    ///   - limits: The limits of the tree. ``HTMLTree/reachedLimits`` names those that were reached.
    /// - Returns: The tree, with the document as its root.
    public static func parse(_ bytes: some Sequence<UInt8>, limits: HTMLLimits = .standard) -> HTMLTree {
        parse(bytes, limits: limits, removesMark: true, context: nil)
    }

    /// Parses a document that has been decoded.
    ///
    /// - Parameters:
    ///   - text: The document. CR and CR LF become LF.
    ///   - limits: The limits of the tree. ``HTMLTree/reachedLimits`` names those that were reached.
    /// - Returns: The tree, with the document as its root.
    public static func parse(_ text: String, limits: HTMLLimits = .standard) -> HTMLTree {
        parse(text.utf8, limits: limits, removesMark: false, context: nil)
    }

    /// Parses a fragment, as the setter of `innerHTML` does (section 13.4).
    ///
    /// - Parameters:
    ///   - bytes: The fragment in UTF-8, read as ``parse(_:limits:)-(Sequence<UInt8>,_)`` reads a document.
    ///   - context: The element that the fragment is in.
    ///   - limits: The limits of the tree. ``HTMLTree/reachedLimits`` names those that were reached.
    /// - Returns: The tree, with a document fragment as its root.
    public static func parseFragment(
        _ bytes: some Sequence<UInt8>,
        context: HTMLFragmentContext = .body,
        limits: HTMLLimits = .standard
    ) -> HTMLTree {
        parse(bytes, limits: limits, removesMark: true, context: context)
    }

    /// Parses a fragment that has been decoded, as the setter of `innerHTML` does (section 13.4).
    ///
    /// - Parameters:
    ///   - text: The fragment. CR and CR LF become LF.
    ///   - context: The element that the fragment is in.
    ///   - limits: The limits of the tree. ``HTMLTree/reachedLimits`` names those that were reached.
    /// - Returns: The tree, with a document fragment as its root.
    public static func parseFragment(
        _ text: String,
        context: HTMLFragmentContext = .body,
        limits: HTMLLimits = .standard
    ) -> HTMLTree {
        parse(text.utf8, limits: limits, removesMark: false, context: context)
    }

    private static func parse(
        _ bytes: some Sequence<UInt8>,
        limits: HTMLLimits,
        removesMark: Bool,
        context: HTMLFragmentContext?
    ) -> HTMLTree {
        let limits = limits.bounded
        func decoded(_ buffer: UnsafeBufferPointer<UInt8>) -> InputDecoder {
            InputDecoder(buffer, limit: limits.bytes, removesMark: removesMark)
        }
        // A sequence without storage is copied up to one byte more than the limit.
        let input =
            bytes.withContiguousStorageIfAvailable(decoded)
            ?? Array(bytes.prefix(limits.bytes + 1)).withUnsafeBufferPointer(decoded)
        return input.bytes.withUnsafeBufferPointer { buffer in
            var builder = TreeBuilder(Tokenizer(buffer, attributeLimit: limits.attributes), limits: limits)
            if input.isCut { builder.reachedLimits.insert(.bytes) }
            if let context { builder.beginFragment(context) }
            builder.run()
            return HTMLTree(builder, source: input.bytes)
        }
    }
}

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
