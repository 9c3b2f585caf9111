import Foundation
import InboxCards
import Testing

@Suite(.timeLimit(.minutes(5))) struct LanguageChoiceTests {
    private static let choices: [([String], CardLanguage, String)] = [
        (["de"], .german, "de"), (["de-AT"], .german, "de-AT"), (["pt_PT"], .portuguese, "pt-PT"),
        (["DE-at"], .german, "de-AT"), (["iw-IL"], .hebrew, "he-IL"), (["he"], .hebrew, "he"),
        (["es-419"], .spanish, "es-419"), (["ja-Jpan-JP"], .japanese, "ja-JP"),
        (["it-CH", "fr-CH", "de"], .french, "fr-CH"),
        (["ar-EG-u-nu-latn"], .arabic, "ar-EG"), (["de-u-rg-atzzzz"], .german, "de"), (["de-1996"], .german, "de"),
        (["de-XX"], .german, "de"), (["en-x-de-at"], .english, "en"), (["zh-Hans-CN"], .english, "en"),
        ([], .english, "en"),
        (["", "-", "de-", "-de", "d", "german1", "d€", "de--AT", "*", "fr FR"], .english, "en"),
        ([String(repeating: "de-", count: 50_000), "ja"], .japanese, "ja"),
    ]

    @Test(arguments: choices)
    func `the first supported language is used`(_ tags: [String], _ language: CardLanguage, _ tag: String) {
        let texts = CardTexts(preferring: tags)
        #expect(texts.language == language)
        #expect(texts.languageTag == tag)
    }

    private static let headers: [(String, [String])] = [
        ("de", ["de"]), ("de-AT,de;q=0.8,en;q=0.5", ["de-AT", "de", "en"]),
        ("en;q=0.5, de;q=0.8,fr", ["fr", "de", "en"]),
        ("de;q=0.5,fr;q=0.5,es;q=0.5", ["de", "fr", "es"]), ("de;q=0, *;q=0.1, en;q=0.001", ["en"]),
        ("de;q=0.000,en", ["en"]), ("da, en-gb;q=0.8, en;q=0.7", ["da", "en-GB", "en"]),
        (" de \t; \tQ=0.9 ,\tfr ", ["fr", "de"]), ("de;q=1.000,fr;q=1.", ["de", "fr"]), ("de;q=0.,fr", ["fr"]),
        ("", []), (",", []), (" ,, ;,;q=1,q=1;de", []), ("*", []),
        ("de;q=1.001,de;q=2,de;q=-1,de;q=0.1234,de;q=,de;q,de;=1,de;q=nan,de;q=0x1,de;q=٠,de;q=1e0,de;q=.5,fr", ["fr"]),
        ("de;q=0.5;x=1,fr;level=1,es;q=0.5q", []), ("de\r\nSet-Cookie: a=b,fr", ["fr"]), ("de\0,fr", ["fr"]),
        ("<script>,\"de\",../../de,de%00,ｄｅ", []), ("de;q=0.8;q=0.9", []), ("de;q = 0.5", []), ("de fr", []),
    ]

    @Test(arguments: headers)
    func `a header's ranges are sorted by quality, and invalid ones are left out`(_ header: String, _ tags: [String]) {
        #expect(AcceptLanguage.tags(header) == tags)
    }

    @Test func `a long header is read up to its last whole range`() {
        let full = Array(repeating: "fr;q=0.25", count: 100).joined(separator: ",")
        #expect(full.utf8.count == 999)
        #expect(AcceptLanguage.tags(full).count == 100)
        #expect(AcceptLanguage.tags(full + ",") == AcceptLanguage.tags(full))
        // The last range may have been cut.
        #expect(AcceptLanguage.tags(full + ",de").count == 100)
        #expect(AcceptLanguage.tags(full + "1").count == 100)
        #expect(AcceptLanguage.tags(full + "00").count == 99)
        #expect(AcceptLanguage.tags(String(repeating: "é", count: 1_000_000)) == [])
        #expect(CardTexts(acceptLanguage: "de," + String(repeating: ",;q=", count: 1_000_000)).language == .german)
    }

    @Test func `the preferred language is used`() {
        #expect(CardTexts(acceptLanguage: "it, ja;q=0.5, fr-CA;q=0.9, en;q=0.1").languageTag == "fr-CA")
        #expect(CardTexts(acceptLanguage: "it;q=1, *").language == .english)
        #expect(CardTexts(acceptLanguage: "%%%") == CardTexts())
    }

    @Test func `invented tags lead to few locales`() {
        let letters = Array("abcdefghijklmnopqrstuvwxyz")
        var tags: Set<String> = []
        for first in letters {
            for second in letters {
                tags.insert(
                    CardTexts(preferring: ["de-\(first)\(second)\(first)\(second)-\(first)\(second)"]).languageTag
                )
            }
        }
        #expect(tags.count < 300)
        #expect(tags.contains("de") && tags.contains("de-CH"))
    }
}
