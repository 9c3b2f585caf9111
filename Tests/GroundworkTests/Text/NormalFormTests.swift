import Foundation
import SeededRandom
import Testing

@testable import Groundwork

@Suite(.timeLimit(.minutes(5))) struct NormalFormTests {
    @Test(arguments: [
        ("e\u{301}", "é"), ("A\u{30A}ngstro\u{308}m", "Ångström"), ("\u{212B}", "Å"), ("\u{1112}\u{1161}\u{11AB}", "한"),
        ("\u{30AB}\u{3099}", "ガ"), ("a\u{323}\u{302}", "ậ"), ("a\u{302}\u{323}", "ậ"), ("\u{627}\u{653}", "آ"),
        ("и\u{306}", "й"), ("q\u{307}\u{323}", "q\u{323}\u{307}"), ("\u{2126}", "Ω"), ("", ""),
    ])
    func `canonically equivalent spellings become one form`(spelling: String, normal: String) {
        #expect(Array(spelling.normalized.utf8) == Array(normal.utf8))
        #expect(Array(normal.normalized.utf8) == Array(normal.utf8))
    }

    @Test(arguments: [
        "plain", "Café", "Ваша посылка в пути", "طلبك في الطريق", "お荷物を発送しました", "배송이 시작되었습니다", "您的包裹已发货",
        "החבילה שלך בדרך", "👩‍👩‍👧 ❤️ 🎉 — “quoted” 20 €",
    ])
    func `common text is recognized as normal without Unicode tables`(text: String) {
        var text = text
        #expect(text.withUTF8 { NormalForm.isCertainlyNormalized($0) })
        #expect(Array(text.precomposedStringWithCanonicalMapping.utf8) == Array(text.utf8))
    }

    /// Normal form C doesn't change text whose scalars don't decompose, don't reorder and are never the second part of
    /// a composition.
    @Test func `inert scalars agree with Unicode data`() {
        var seconds: Set<Unicode.Scalar> = []
        var inert: [Unicode.Scalar] = []
        for value in UInt32(0)...0x2FA1F {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let text = String(scalar)
            // Hangul's second and third parts come from its syllables.
            seconds.formUnion(text.decomposedStringWithCanonicalMapping.unicodeScalars.dropFirst())
            guard NormalForm.isInert(value) else { continue }
            inert.append(scalar)
            #expect(scalar.properties.canonicalCombiningClass == .notReordered, "\(scalar.escaped(asASCII: true))")
            if !text.precomposedStringWithCanonicalMapping.utf8.elementsEqual(text.utf8) {
                Issue.record("\(scalar.escaped(asASCII: true)) isn't normal")
            }
        }
        #expect(inert.filter { seconds.contains($0) } == [])
        #expect(inert.count > 80_000)
    }

    @Test(arguments: 1...20) func `text recognized as normal is normal`(seed: UInt64) {
        var chance = Seeded(seed)
        let parts = [
            "a", "é", "e\u{301}", "\u{327}", "и", "\u{306}", "가", "\u{11A8}", "漢", "\u{F900}", "😀", "\u{FE0F}", "क",
            "\u{93C}",
        ]
        for _ in 0..<500 {
            var text = (0..<Int.random(in: 0...6, using: &chance)).map { _ in parts.randomElement(using: &chance)! }
                .joined()
            let isCertain = text.withUTF8 { NormalForm.isCertainlyNormalized($0) }
            let isNormal = text.precomposedStringWithCanonicalMapping.utf8.elementsEqual(text.utf8)
            #expect(!isCertain || isNormal, "\(text.unicodeScalars.map { $0.escaped(asASCII: true) })")
        }
    }
}
