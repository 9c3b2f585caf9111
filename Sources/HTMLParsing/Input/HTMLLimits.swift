/// The limits of one parse. A parse that reaches one continues with less, and ``HTMLTree/reachedLimits`` names it.
public struct HTMLLimits: Hashable, Sendable {
    /// The maximum number of bytes that are read. The rest of the input is dropped.
    public var bytes: Int
    /// The maximum depth of elements, counted from the root. A start tag that would open a deeper one is dropped: its
    /// text and its children stand in the deepest element that is allowed.
    public var depth: Int
    /// The number of nodes from which on the rest of the input is dropped. The last token that is read may add a few
    /// more.
    public var nodes: Int
    /// The maximum number of attributes of an element. The further ones are dropped.
    public var attributes: Int

    /// Creates limits. Values outside their ranges are replaced by the nearest allowed ones.
    ///
    /// - Parameters:
    ///   - bytes: From 0 to 1 GiB.
    ///   - depth: From 16 to 32,768.
    ///   - nodes: From 16 to 2³⁰.
    ///   - attributes: From 0 to 4,096.
    public init(bytes: Int = 1 << 20, depth: Int = 512, nodes: Int = 200_000, attributes: Int = 256) {
        self.bytes = bytes
        self.depth = depth
        self.nodes = nodes
        self.attributes = attributes
    }

    /// 1 MiB, 512 elements deep, 200,000 nodes and 256 attributes of an element.
    public static let standard = HTMLLimits()

    /// The limits within their ranges.
    var bounded: HTMLLimits {
        HTMLLimits(
            bytes: min(max(bytes, 0), 1 << 30),
            depth: min(max(depth, 16), 1 << 15),
            nodes: min(max(nodes, 16), 1 << 30),
            attributes: min(max(attributes, 0), 4_096)
        )
    }

    /// The limits that a parse reached.
    public struct ReachedLimits: OptionSet, Hashable, Sendable {
        /// The bits of the set.
        public let rawValue: UInt8

        /// Creates a set from its bits.
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// Bytes at the end of the input are missing.
        public static let bytes = ReachedLimits(rawValue: 1)
        /// Elements that would have been too deep are missing. Their text is there.
        public static let depth = ReachedLimits(rawValue: 2)
        /// Nodes at the end are missing.
        public static let nodes = ReachedLimits(rawValue: 4)
        /// Attributes of an element are missing.
        public static let attributes = ReachedLimits(rawValue: 8)
        /// Rules of style sheets are missing at elements. Only a cleaner sets it.
        public static let styles = ReachedLimits(rawValue: 16)
    }
}
