package import HTMLParsing

extension HTMLLimits {
    /// Creates limits that HTML of a length doesn't reach, unless it was made to reach them.
    ///
    /// - Parameter bytes: The length, from 0 to 1 GiB.
    package init(fitting bytes: Int) {
        // No other has an element or a text for each byte.
        self.init(bytes: bytes, nodes: max(HTMLLimits.standard.nodes, bytes))
    }
}
