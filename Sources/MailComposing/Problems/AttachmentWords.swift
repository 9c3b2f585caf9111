import Foundation
import Groundwork

/// The words that refer to an attachment, in many languages.
enum AttachmentWords {
    /// The maximum length of the text that is searched in bytes.
    static let maxLength = 256 * 1_024

    /// Returns the first such word of a text, as it is written there; nil if it has none.
    ///
    /// - Parameter text: The person's own text.
    static func first(in text: String) -> String? {
        let text = PlainCharacters.cut(text, maxLength: maxLength)
        var previous = ""
        for word in text.split(whereSeparator: { !$0.isLetter && !$0.isNumber }) {
            let folded = SearchText.folded(String(word))
            // “Without attachment” mentions none.
            if !negations.contains(previous), isAttachment(folded, after: previous) { return shown(word) }
            previous = folded
        }
        return nil
    }

    private static func isAttachment(_ word: String, after previous: String) -> Bool {
        if words.contains(word) || phrases[word]?.contains(previous) ?? false { return true }
        var end = word.startIndex
        for length in 1...maxStemLength {
            guard word.formIndex(&end, offsetBy: 1, limitedBy: word.endIndex) else { break }
            if length >= minStemLength, stems.contains(word[..<end]) { return true }
        }
        return !word.utf8.allSatisfy { $0 < 0x80 } && parts.contains { word.contains($0) }
    }

    /// Scripts without spaces have long words.
    private static func shown(_ word: Substring) -> String { word.count > 40 ? "\(word.prefix(40))…" : String(word) }

    private static func folded(_ words: [String]) -> Set<String> { Set(words.map(SearchText.folded)) }

    /// Words that such a word can begin with.
    private static let stems: Set<Substring> = Set(
        folded([
            // English, German.
            "attached", "attachment", "attaching", "enclosed", "enclosing", "enclosure", "anhang", "anhänge",
            "angehängt",
            "angehangen", "beigefügt", "beigelegt", "beiliegend", "anliegend",
            // French, Spanish, Portuguese, Italian, Romanian.
            "adjunt", "anexo", "anexa", "anexei", "allegat", "allego", "alleghi", "atașat", "anexez",
            // Dutch, Swedish, Danish, Norwegian, Finnish.
            "bijlage", "bijgevoegd", "bijgaand", "bijgesloten", "bifog", "bilaga", "bilagor", "bilagd", "bilagt",
            "vedhæft",
            "vedlagt", "vedlegg", "vedlagd", "liitteen", "liitteess", "liitetiedosto", "oheise", "oheinen",
            // Polish, Czech, Slovak, Hungarian, Turkish.
            "załącz", "přiloh", "příloh", "príloh", "přilož", "přikládám", "prikladám", "csatol", "mellékel",
            "mellékl", "ekteki", "ekledim",
            // Russian, Ukrainian, Greek, Hebrew, Arabic.
            "вложени", "прикрепл", "прикрепи", "прилага", "вкладенн", "прикріпл", "συνημμέν", "επισυνάπτ", "επισύναψ",
            "מצורפ", "מצורף", "צירפתי", "مرفق", "المرفق", "بالمرفق", "أرفقت",
        ])
        .map { $0[...] }
    )
    private static let minStemLength = 4
    private static let maxStemLength = 16

    /// Complete words.
    private static let words = folded(["anbei", "pj", "ohessa", "liite", "ekte", "ekli"])

    /// Words that mean it after one of those words.
    private static let phrases: [String: Set<String>] = [
        "anlage": folded(["der", "als", "siehe", "in", "zur"]), "anlagen": folded(["den", "als", "siehe", "in"]),
        "beilage": folded(["der", "als", "siehe", "in"]),
        "joint": folded(["ci", "fichier", "document", "trouverez"]), "jointe": folded(["ci", "pièce"]),
        "joints": folded(["ci", "fichiers", "documents"]), "jointes": folded(["ci", "pièces"]),
        "joins": folded(["je", "vous", "te"]), "annexe": folded(["en"]), "annexes": folded(["en"]),
    ]

    /// Parts of words, in scripts without spaces.
    private static let parts = ["添付", "附件", "附檔", "附档", "附上", "첨부"]

    private static let negations = folded([
        "no", "without", "ohne", "kein", "keine", "keinen", "keiner", "sans", "sin", "sem", "senza", "nessun", "geen",
        "zonder",
        "ingen", "inget", "utan", "uden", "uten", "bez", "без",
    ])
}
