#if PostgreSQL
    /// The people that a server has written for lately: their numbers, and the sequences that its writes left.
    ///
    /// A person keeps the number for good. A person who was erased and created again has a new number, so a user of a
    /// number compares the name.
    ///
    /// Another server may have advanced a sequence since. So a write that expects one has the database compare it.
    struct PersonNumbers: Sendable {
        /// A person.
        struct Entry: Hashable, Sendable {
            let number: Int
            /// The sequence that this server's latest write left. Nil if it isn't known.
            var sequence: Int?
            /// Whether the latest sequence that was read was the one that this server had left: then the next one
            /// probably is, too. Where several servers alternate in writing for a person, none expects anything.
            var isExpected = false
        }

        /// The people since the last change of generations, and those before, by the bytes of their names.
        private var (latest, earlier): ([[UInt8]: Entry], [[UInt8]: Entry]) = ([:], [:])

        /// The number of people of a generation: about 12 MB for two with names of some 30 bytes.
        static let generationLimit = 50_000

        /// Returns people in the order of the names' bytes, in which servers lock them. Nil if one isn't known.
        mutating func entries(of names: [String]) -> [(name: String, entry: Entry)]? {
            var found: [(key: [UInt8], name: String, entry: Entry)] = []
            for name in names {
                let key = Array(name.utf8)
                guard let entry = latest[key] ?? earlier[key] else { return nil }
                if latest[key] == nil { set(entry, at: key) }
                found.append((key, name, entry))
            }
            return found.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { ($0.name, $0.entry) }
        }

        /// Adds a person whose sequence was read.
        mutating func add(_ number: Int, of name: String, sequence: Int) {
            let key = Array(name.utf8)
            let known = latest[key] ?? earlier[key]
            set(Entry(number: number, sequence: sequence, isExpected: known?.sequence == sequence), at: key)
        }

        /// Records the sequences that a committed write left.
        mutating func note(_ people: ResolvedPeople) {
            for (key, number) in people.numbers {
                guard let sequence = people.sequences[number], let known = latest[key] ?? earlier[key] else { continue }
                set(Entry(number: number, sequence: sequence, isExpected: known.isExpected), at: key)
            }
        }

        /// Expects no sequences of people until they were read, since one was another.
        mutating func expectNothing(of names: [String]) {
            for name in names {
                let key = Array(name.utf8)
                guard let number = (latest[key] ?? earlier[key])?.number else { continue }
                set(Entry(number: number), at: key)
            }
        }

        private mutating func set(_ entry: Entry, at key: [UInt8]) {
            if latest.count >= Self.generationLimit { (latest, earlier) = ([:], latest) }
            latest[key] = entry
        }
    }
#endif
