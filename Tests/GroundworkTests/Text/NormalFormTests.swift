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
    func `common text stays as it is`(text: String) {
        #expect(Array(text.normalized.utf8) == Array(text.utf8))
    }
}
