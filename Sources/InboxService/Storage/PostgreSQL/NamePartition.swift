#if PostgreSQL
    /// The partition of `personName` in which a person's name is, as PostgreSQL finds it by the hash of the name.
    struct NamePartition: Hashable, Sendable {
        /// From 0 to ``PostgresSchema/partitions`` - 1.
        let number: Int

        /// - Parameter name: The person's name.
        init(of name: String) {
            number = PartitionHash.partition(of: name)
        }
    }
#endif
