#if PostgreSQL
    /// The numbers of people that a server has written for lately, by the bytes of their names.
    ///
    /// A person keeps the number for good. A person who was erased and created again has a new number, so a user of a
    /// number compares the name.
    struct PersonNumbers: Sendable {
        /// The people since the last change of generations, and those before.
        private var (latest, earlier): ([[UInt8]: Int], [[UInt8]: Int]) = ([:], [:])

        /// The number of people of a generation: about 10 MB for two with names of some 30 bytes.
        static let generationLimit = 50_000

        /// Returns people with their numbers in the order of the names' bytes, in which servers lock them. Nil if one
        /// isn't known.
        mutating func numbers(of names: [String]) -> [(name: String, number: Int)]? {
            var found: [(key: [UInt8], name: String, number: Int)] = []
            for name in names {
                let key = Array(name.utf8)
                guard let number = latest[key] ?? earlier[key] else { return nil }
                if latest[key] == nil { add(number, at: key) }
                found.append((key, name, number))
            }
            return found.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { ($0.name, $0.number) }
        }

        mutating func add(_ number: Int, of name: String) { add(number, at: Array(name.utf8)) }

        private mutating func add(_ number: Int, at key: [UInt8]) {
            if latest.count >= Self.generationLimit { (latest, earlier) = ([:], latest) }
            latest[key] = number
        }
    }
#endif
