import Foundation
import SeededRandom

/// Invented words. A few are common and most are rare, as in every language (Zipf's law).
struct MailWords: Sendable {
    /// The words, the most common first.
    private let words: [String]

    private static let count = 20_000
    private static let syllables = [
        "ba", "be", "con", "da", "de", "di", "en", "er", "fa", "fi", "ga", "ger", "ha", "il", "in", "ka", "kel", "la",
        "le", "lo", "ma", "men", "mi", "na", "ne", "no", "or", "pa", "per", "po", "ra", "re", "ri", "sa", "se", "si",
        "sol", "ta", "te", "ter", "ti", "tor", "un", "ur", "va", "ver", "vi", "za", "zo", "für", "schö",
    ]

    init() {
        var random = Seeded(1)
        var known: Set<String> = []
        var words: [String] = []
        while words.count < Self.count {
            let length = words.count < 30 ? 1 : words.count < 1_000 ? 2 : Int.random(in: 3...4, using: &random)
            let word = (0..<length).compactMap { _ in Self.syllables.randomElement(using: &random) }.joined()
            if known.insert(word).inserted { words.append(word) }
        }
        self.words = words
    }

    /// Returns a random word. Common words are more likely.
    func any(_ random: inout Seeded) -> String {
        let rank = exp(log(Double(words.count)) * Double.random(in: 0..<1, using: &random))
        return words[min(Int(rank), words.count) - 1]
    }

    /// Returns the first ASCII word from a rank on. The most common word has rank 1.
    func word(_ rank: Int) -> String {
        words[(rank - 1)...].first { $0.utf8.allSatisfy { $0 < 0x80 } } ?? words[rank - 1]
    }
}
