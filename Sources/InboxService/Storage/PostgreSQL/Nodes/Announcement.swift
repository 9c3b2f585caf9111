#if PostgreSQL
    /// The changes of the commits of a short time, as a server announces them to the others by `NOTIFY`.
    ///
    /// It contains numbers only, since every user who may connect to the database can listen. Its encoding is text, for
    /// the sake of an operator who listens too: the number of the server, and parts separated by semicolons, such as
    /// `3;deliveries;broadcast:12;own:17=204,90=5;groups:7-9`.
    ///
    /// Announcements may be lost, doubled and received in another order, so they are merged by the maximum, and after
    /// each break of its connection a receiver reads the changes that it may have missed.
    struct Announcement: Hashable, Sendable {
        /// The numbers of the groups of commits that this is about, counted by server. Each is at least 1.
        var groups: ClosedRange<Int>?
        /// Whether anything may have changed: the outcome of a commit is unknown.
        var isUnknown = false
        /// The latest own sequence of each person whose inbox changed. All numbers here are at least 0.
        var own: [Int: Int] = [:]
        /// Whether there were too many people to name them: a receiver reads the sequences of those that it watches.
        var isForAll = false
        /// The latest sequence of broadcasts, if one changed.
        var broadcast: Int?
        /// The latest sequence of surfaces, if one changed.
        var surface: Int?
        /// The time of the earliest action that was added to the due-queue, in milliseconds since 1970.
        var due: Int?
        /// Whether the outbox may have due deliveries.
        var hasDeliveries = false
        /// The people whose tokens ended before their expiry, all of them or some. 0 stands for anyone.
        var endedTokens: Set<Int> = []
        /// The people who were erased.
        var erased: Set<Int> = []
        /// Whether API keys were created or revoked, or the key that signs tokens was replaced.
        var hasKeys = false

        /// The maximum size of a payload in bytes. PostgreSQL's is 7,999.
        static let payloadSize = 7_900
        /// The maximum number of people who are named. Naming more of them costs more than reading the states of all
        /// watched people.
        static let peopleLimit = 2_000
        /// The numbers of servers.
        static let nodes = 0...255

        /// Whether there is nothing to announce.
        var isEmpty: Bool { self == Announcement() }
        /// Whether it is about more than one person.
        var isOfMany: Bool { isForAll || own.count > 1 }

        /// Adds another announcement, of the same server or a different one.
        mutating func merge(_ other: Announcement) {
            groups = [groups, other.groups].compactMap { $0 }.reduce(nil) { all, range in
                min(all?.lowerBound ?? .max, range.lowerBound)...max(all?.upperBound ?? 0, range.upperBound)
            }
            isUnknown = isUnknown || other.isUnknown
            own.merge(other.own) { max($0, $1) }
            isForAll = isForAll || other.isForAll || own.count > Self.peopleLimit
            // The waiting announcement stays small, however long nothing can be sent.
            if own.count > Self.peopleLimit { own = [:] }
            broadcast = [broadcast, other.broadcast].compactMap { $0 }.max()
            surface = [surface, other.surface].compactMap { $0 }.max()
            due = [due, other.due].compactMap { $0 }.min()
            hasDeliveries = hasDeliveries || other.hasDeliveries
            endedTokens.formUnion(other.endedTokens)
            if endedTokens.count > Self.peopleLimit { endedTokens = [0] }
            erased.formUnion(other.erased)
            if erased.count > Self.peopleLimit { (erased, isUnknown) = ([], true) }
            hasKeys = hasKeys || other.hasKeys
        }
    }

    extension Announcement {
        /// Creates the announcement of the changes of a group of commits.
        init(_ effects: WriteEffects) {
            self.init()
            own = effects.own
            (broadcast, surface) = (effects.broadcast, effects.surface)
            (due, hasDeliveries) = (effects.due, effects.deliveries)
            (endedTokens, erased, hasKeys) = (effects.endedTokens, effects.erased, effects.keys)
        }

        /// The changes as those of a write.
        var effects: WriteEffects {
            WriteEffects(
                own: own,
                broadcast: broadcast,
                surface: surface,
                due: due,
                deliveries: hasDeliveries,
                endedTokens: endedTokens,
                keys: hasKeys,
                erased: erased
            )
        }
    }

    extension Announcement {
        /// The names of the parts. A part of a newer version, with another name, is ignored.
        fileprivate enum Part: String {
            case own, all, unknown, broadcast, surface, due, deliveries, tokens, erased, keys, groups
        }

        /// Returns the payloads of the announcement, each of at most ``payloadSize`` bytes. Each can be read alone, and
        /// they merge to the announcement. The last one has the groups: by then, all of them have been received.
        ///
        /// - Parameter node: The number of the sender, one of ``nodes``.
        /// - Returns: None if there is nothing to announce.
        func payloads(from node: Int) -> [String] {
            var writer = PayloadWriter(node: node)
            if isUnknown { writer.add(.unknown) }
            if isForAll || own.count > Self.peopleLimit { writer.add(.all) }
            if hasDeliveries { writer.add(.deliveries) }
            if hasKeys { writer.add(.keys) }
            writer.add(.due, due.map { ["\($0)"] } ?? [])
            writer.add(.broadcast, broadcast.map { ["\($0)"] } ?? [])
            writer.add(.surface, surface.map { ["\($0)"] } ?? [])
            writer.add(.tokens, endedTokens.sorted().map { "\($0)" })
            writer.add(.erased, erased.sorted().map { "\($0)" })
            if own.count <= Self.peopleLimit {
                writer.add(.own, own.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" })
            }
            if let groups { writer.add(.groups, ["\(groups.lowerBound)-\(groups.upperBound)"]) }
            return writer.end()
        }

        /// Reads a payload.
        ///
        /// - Returns: The number of the sender, and its announcement. Nil if the payload is invalid: a receiver then
        ///   reads the states of all that it watches.
        static func read(_ payload: String) -> (node: Int, announcement: Announcement)? {
            let parts = payload.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
            guard payload.utf8.count <= payloadSize, let first = parts.first, let node = number(first),
                nodes.contains(node)
            else { return nil }
            var announcement = Announcement()
            var names: Set<String> = []
            for part in parts.dropFirst() {
                let pieces = part.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
                let name = String(decoding: pieces[0], as: UTF8.self)
                guard !name.isEmpty, name.utf8.allSatisfy({ (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }),
                    names.insert(name).inserted
                else { return nil }
                guard let part = Part(rawValue: name) else { continue }
                guard announcement.add(part, pieces.count > 1 ? pieces[1] : nil) else { return nil }
            }
            return (node, announcement)
        }

        /// Returns the number of a payload's sender, without reading the rest. Nil if it has none.
        static func sender(of payload: String) -> Int? {
            payload.utf8.split(separator: UInt8(ascii: ";"), maxSplits: 1, omittingEmptySubsequences: false).first
                .flatMap(number)
        }

        /// Adds a part that was read, and returns whether it is valid.
        private mutating func add(_ part: Part, _ values: Substring.UTF8View.SubSequence?) -> Bool {
            switch part {
            case .all, .unknown, .deliveries, .keys:
                guard values == nil else { return false }
                if part == .all { isForAll = true }
                if part == .unknown { isUnknown = true }
                if part == .keys { hasKeys = true }
                if part == .deliveries { hasDeliveries = true }
                return true
            case .broadcast, .surface, .due:
                guard let values, let number = Self.number(values) else { return false }
                if part == .broadcast { broadcast = number }
                if part == .surface { surface = number }
                if part == .due { due = number }
                return true
            case .groups:
                guard let values else { return false }
                let ends = values.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false).map(Self.number)
                guard ends.count == 2, let first = ends[0], let last = ends[1], 1 <= first, first <= last else {
                    return false
                }
                groups = first...last
                return true
            case .tokens, .erased:
                guard let values else { return false }
                var numbers: Set<Int> = []
                for value in values.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
                    guard let number = Self.number(value), numbers.insert(number).inserted else { return false }
                }
                if part == .tokens { endedTokens = numbers }
                if part == .erased { erased = numbers }
                return true
            case .own:
                guard let values else { return false }
                for value in values.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
                    let pair = value.split(separator: UInt8(ascii: "="), omittingEmptySubsequences: false)
                    guard pair.count == 2, let person = Self.number(pair[0]), let sequence = Self.number(pair[1]),
                        own.updateValue(sequence, forKey: person) == nil
                    else { return false }
                }
                return true
            }
        }

        /// Reads a number in its canonical form: only digits, without leading zeros.
        private static func number(_ digits: Substring.UTF8View.SubSequence) -> Int? {
            guard let first = digits.first, first != UInt8(ascii: "0") || digits.count == 1 else { return nil }
            var number = 0
            for digit in digits {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
                let (tens, isTooLarge) = number.multipliedReportingOverflow(by: 10)
                let (sum, isLarger) = tens.addingReportingOverflow(Int(digit - UInt8(ascii: "0")))
                guard !isTooLarge, !isLarger else { return nil }
                number = sum
            }
            return number
        }
    }

    /// Writes parts to as many payloads as they need.
    private struct PayloadWriter {
        private let start: String
        private var payloads: [String] = []
        private var payload: String

        init(node: Int) {
            start = "\(node)"
            payload = start
        }

        /// Adds a part without values.
        mutating func add(_ part: Announcement.Part) { append(";\(part.rawValue)") }

        /// Adds a part with its values, if there are any.
        mutating func add(_ part: Announcement.Part, _ values: [String]) {
            var isOpen = false
            for value in values {
                let more = ",\(value)"
                if isOpen, payload.utf8.count + more.utf8.count <= Announcement.payloadSize {
                    payload += more
                } else {
                    append(";\(part.rawValue):\(value)")
                    isOpen = true
                }
            }
        }

        /// Adds a text to this payload, or to the next one if it doesn't fit.
        private mutating func append(_ text: String) {
            if payload.utf8.count + text.utf8.count > Announcement.payloadSize {
                payloads.append(payload)
                payload = start
            }
            payload += text
        }

        func end() -> [String] { payload == start ? payloads : payloads + [payload] }
    }
#endif
