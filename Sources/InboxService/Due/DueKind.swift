/// What the due-queue does at a time: the `kind` column.
enum DueKind: Int, CaseIterable {
    /// Show a message that was to be delivered later.
    case deliver = 1
    /// Take away a message that has expired.
    case expire = 2
    /// Destroy what a person deleted and left deleted.
    case purge = 3
}
