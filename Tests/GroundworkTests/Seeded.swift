import Groundwork

/// Random numbers that are the same in each run (SplitMix64).
struct Seeded: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A JSON value of any kind, arrays and objects nested at most so deep.
    mutating func json(depth: Int) -> JSON {
        switch Int.random(in: 0...(depth > 0 ? 6 : 4), using: &self) {
        case 0: return .null
        case 1: return .bool(.random(using: &self))
        case 2: return JSON(Int.random(in: -1_000_000...1_000_000, using: &self))
        case 3, 4: return .string(text())
        case 5:
            return .array((0..<Int.random(in: 0...4, using: &self)).map { _ in json(depth: depth - 1) })
        default:
            var object = JSONObject()
            for _ in 0..<Int.random(in: 0...20, using: &self) { object.add(text(), json(depth: depth - 1)) }
            return .object(object)
        }
    }

    /// A short text with whatever needs escaping.
    mutating func text() -> String {
        let characters: [Character] = ["a", "b", "\"", "\\", "/", "\n", "\u{1}", "\u{7F}", "ä", "€", "😀", " "]
        return String(
            (0..<Int.random(in: 0...6, using: &self)).map { _ in characters.randomElement(using: &self) ?? "a" }
        )
    }
}
