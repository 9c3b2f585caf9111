#if PostgreSQL
    /// The people whose streams' tokens have to be verified again. Named people come before a pass over all, which
    /// continues after each part of them.
    struct LeaseQueue: Sendable {
        private var named: Set<Int> = []
        /// The rest of a pass over all, the next ones last.
        private var rest: [Int] = []
        private var isPassNext = false

        var isEmpty: Bool { named.isEmpty && rest.isEmpty }

        mutating func add(_ people: Set<Int>) { named.formUnion(people) }

        /// Begins a pass over all. Those that an incomplete one has left come first: otherwise the same ones would be
        /// left each time.
        mutating func addAll(_ people: Set<Int>) {
            let left = rest.filter(people.contains)
            rest = Array(people.subtracting(left)) + left
        }

        /// Adds people whose tokens couldn't be verified, after all others, which they would hold up otherwise.
        mutating func putBack(_ people: Set<Int>) { rest.insert(contentsOf: people.subtracting(rest), at: 0) }

        /// Removes the next people, and returns them. Empty if none are left.
        mutating func next(_ count: Int) -> [Int] {
            if !named.isEmpty, !isPassNext || rest.isEmpty {
                let people = Array(named.prefix(count))
                named.subtract(people)
                isPassNext = true
                return people
            }
            isPassNext = false
            let people = Array(rest.suffix(count))
            rest.removeLast(people.count)
            return people
        }
    }
#endif
