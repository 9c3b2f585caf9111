/// The counts of the records that have the same values in the columns by which they are counted.
package struct CountBucket: Hashable, Sendable {
    /// In the order of the rule's buckets; null is empty text.
    package let values: [String]
    /// In the order of the rule's counters.
    package let numbers: [Int]
}
