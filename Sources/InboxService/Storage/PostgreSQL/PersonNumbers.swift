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

        /// A person's sequence, as far as it is known.
        private struct Sequence {
            var value: Int?
            var isExpected = false
        }

        /// The people's numbers, by the bytes of their names.
        private var numbers = Generations<[UInt8], Int>()
        /// By number: a write knows no names of the many people of one message.
        private var sequences = Generations<Int, Sequence>()

        /// The number of people of a generation: about 15 MB for two with names of some 30 bytes.
        static let generationLimit = 50_000

        /// Returns people in the order of the names' bytes, in which servers lock them. Nil if one isn't known.
        mutating func entries(of names: [String]) -> [(name: String, entry: Entry)]? {
            var found: [(key: [UInt8], name: String, entry: Entry)] = []
            for name in names {
                let key = Array(name.utf8)
                guard let number = numbers.value(of: key) else { return nil }
                let sequence = sequences.value(of: number) ?? Sequence()
                let entry = Entry(number: number, sequence: sequence.value, isExpected: sequence.isExpected)
                found.append((key, name, entry))
            }
            return found.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { ($0.name, $0.entry) }
        }

        /// Adds a person whose sequence was read.
        mutating func add(_ number: Int, of name: String, sequence: Int) {
            numbers.set(number, for: Array(name.utf8))
            let isExpected = sequences.value(of: number)?.value == sequence
            sequences.set(Sequence(value: sequence, isExpected: isExpected), for: number)
        }

        /// Records the sequences that a committed write left, by the people's numbers. Of others than those who were
        /// added, nothing is kept.
        mutating func note(_ written: [Int: Int]) {
            for (number, value) in written {
                guard let known = sequences.value(of: number) else { continue }
                sequences.set(Sequence(value: value, isExpected: known.isExpected), for: number)
            }
        }

        /// Expects no sequences of people until they were read, since one was another.
        mutating func expectNothing(of names: [String]) {
            for name in names {
                guard let number = numbers.value(of: Array(name.utf8)) else { continue }
                sequences.set(Sequence(), for: number)
            }
        }
    }

    extension PersonNumbers {
        /// The values that were used lately: those of the latest generation, and of the one before.
        private struct Generations<Key: Hashable & Sendable, Value: Sendable> {
            private var (latest, earlier): ([Key: Value], [Key: Value]) = ([:], [:])

            mutating func value(of key: Key) -> Value? {
                if let value = latest[key] { return value }
                guard let value = earlier[key] else { return nil }
                set(value, for: key)
                return value
            }

            mutating func set(_ value: Value, for key: Key) {
                if latest.count >= PersonNumbers.generationLimit { (latest, earlier) = ([:], latest) }
                latest[key] = value
            }
        }
    }
#endif
