#if PostgreSQL
    /// The people whose streams' tokens have to be verified again. Those that are named come before a pass over all.
    struct LeaseQueue: Sendable {
        private var named: Set<Int> = []
        /// The rest of a pass over all, the next ones last.
        private var rest: [Int] = []

        var isEmpty: Bool { named.isEmpty && rest.isEmpty }

        mutating func add(_ people: Set<Int>) { named.formUnion(people) }

        /// Begins a pass over all, instead of one that isn't complete.
        mutating func addAll(_ people: Set<Int>) { rest = Array(people) }

        /// Adds people whose tokens couldn't be verified, after all others, which they would hold up otherwise.
        mutating func putBack(_ people: Set<Int>) { rest.insert(contentsOf: people, at: 0) }

        /// Removes the next people, and returns them. Empty if none are left.
        mutating func next(_ count: Int) -> [Int] {
            if !named.isEmpty {
                let people = Array(named.prefix(count))
                named.subtract(people)
                return people
            }
            let people = Array(rest.suffix(count))
            rest.removeLast(people.count)
            return people
        }
    }
#endif
