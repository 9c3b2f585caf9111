import Groundwork

/// Reproducible random numbers (SplitMix64) and the choices made with them.
struct Dice: Sendable {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns true with a likelihood from 0 to 1.
    mutating func chance(_ likelihood: Double) -> Bool { Double(next() >> 11) / Double(1 << 53) < likelihood }

    mutating func int(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next() % UInt64(range.count))
    }

    mutating func pick<Element>(_ elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[int(0...elements.count - 1)]
    }

    /// Returns some of the elements in order: at least one if there are any, and more often few than many.
    mutating func some<Element>(_ elements: [Element]) -> [Element] {
        guard !elements.isEmpty else { return [] }
        let likelihood = chance(0.2) ? 0.8 : 1.2 / Double(elements.count)
        let chosen = elements.filter { _ in chance(likelihood) }
        return chosen.isEmpty ? [elements[int(0...elements.count - 1)]] : chosen
    }

    /// Returns one of the elements, chosen by weight.
    mutating func pick<Element>(_ weighted: KeyValuePairs<Element, Int>) -> Element {
        var rest = int(0...weighted.reduce(0) { $0 + $1.value } - 1)
        for (element, weight) in weighted {
            if rest < weight { return element }
            rest -= weight
        }
        return weighted[weighted.startIndex].key
    }

    /// Returns a separate source for a part whose calls must not affect other choices.
    mutating func source() -> RandomSource {
        let dice = Locked(Dice(next()))
        return RandomSource { dice.withLock { $0.next() } }
    }
}
