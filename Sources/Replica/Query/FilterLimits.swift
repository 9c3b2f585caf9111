/// The limits that a type's server has for the filters of `/query`. A device sends a filter within them and decides the
/// rest itself.
package struct FilterLimits: Hashable, Sendable {
    /// The levels of nested operators.
    package var depth: Int
    /// The conditions and operators.
    package var terms: Int
    /// The values in all conditions.
    package var values: Int

    package init(depth: Int, terms: Int, values: Int) {
        (self.depth, self.terms, self.values) = (depth, terms, values)
    }
}
