import Groundwork
import SeededRandom

extension Seeded {
    /// A random JSON value whose arrays and objects are nested at most `depth` deep.
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

    /// A short random text with characters that need escaping.
    mutating func text() -> String {
        let characters: [Character] = ["a", "b", "\"", "\\", "/", "\n", "\u{1}", "\u{7F}", "ä", "€", "😀", " "]
        return String(
            (0..<Int.random(in: 0...6, using: &self)).map { _ in characters.randomElement(using: &self) ?? "a" }
        )
    }
}
