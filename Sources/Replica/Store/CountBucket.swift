/// The counts of the records that have the same values in the columns by which they are counted.
package struct CountBucket: Hashable, Sendable {
    /// The columns' values, in the order of the rule's buckets. Null is an empty text.
    package let values: [String]
    /// The counts, in the order of the rule's counters.
    package let numbers: [Int]
}
