import Foundation
import InboxCards
import Testing

@Suite(.timeLimit(.minutes(5))) struct RelativeTimeTests {
    private static let second = 1.0
    private static let minute = 60.0
    private static let hour = 3600.0
    private static let day = 86_400.0

    /// Noon in UTC on 12 May 2026, a Tuesday.
    private static let noon = date("2026-05-12T12:00:00Z")

    static func date(_ text: String) -> Date {
        try! Date(text, strategy: .iso8601)
    }

    private static func relative(_ language: CardLanguage, _ zone: String = "UTC") -> RelativeTime {
        RelativeTime(texts: CardTexts(language), timeZone: TimeZone(identifier: zone)!)
    }

    /// Each limit of the past, from both sides.
    private static let past: [TimeInterval] = [
        0, 59, minute - 0.001, minute, 2 * minute - second, 2 * minute, hour - second, hour, 2 * hour - second,
        2 * hour,
        day - 0.001, day, 6 * day, 7 * day,
    ]

    private static let pastTexts: [(CardLanguage, [String])] = [
        (
            .english,
            [
                "just now", "just now", "just now", "1 minute ago", "1 minute ago", "2 minutes ago",
                "59 minutes ago",
                "1 hour ago", "1 hour ago", "2 hours ago", "23 hours ago", "yesterday", "6 days ago", "May 12",
            ]
        ),
        (
            .german,
            [
                "gerade eben", "gerade eben", "gerade eben", "vor 1 Minute", "vor 1 Minute", "vor 2 Minuten",
                "vor 59 Minuten", "vor 1 Stunde", "vor 1 Stunde", "vor 2 Stunden", "vor 23 Stunden", "gestern",
                "vor 6 Tagen", "12. Mai",
            ]
        ),
        (
            .french,
            [
                "à l’instant", "à l’instant", "à l’instant", "il y a 1 minute", "il y a 1 minute",
                "il y a 2 minutes",
                "il y a 59 minutes", "il y a 1 heure", "il y a 1 heure", "il y a 2 heures", "il y a 23 heures",
                "hier",
                "il y a 6 jours", "12 mai",
            ]
        ),
        (
            .spanish,
            [
                "hace un momento", "hace un momento", "hace un momento", "hace 1 minuto", "hace 1 minuto",
                "hace 2 minutos", "hace 59 minutos", "hace 1 hora", "hace 1 hora", "hace 2 horas", "hace 23 horas",
                "ayer", "hace 6 días", "12 may",
            ]
        ),
        (
            .portuguese,
            [
                "agora mesmo", "agora mesmo", "agora mesmo", "há 1 minuto", "há 1 minuto", "há 2 minutos",
                "há 59 minutos", "há 1 hora", "há 1 hora", "há 2 horas", "há 23 horas", "ontem", "há 6 dias",
                "12 de mai.",
            ]
        ),
        (
            .japanese,
            [
                "たった今", "たった今", "たった今", "1 分前", "1 分前", "2 分前", "59 分前", "1 時間前", "1 時間前", "2 時間前", "23 時間前",
                "昨日", "6 日前", "5月12日",
            ]
        ),
        (
            .arabic,
            [
                "قبل لحظات", "قبل لحظات", "قبل لحظات", "قبل دقيقة واحدة", "قبل دقيقة واحدة", "قبل دقيقتين",
                "قبل 59 دقيقة", "قبل ساعة واحدة", "قبل ساعة واحدة", "قبل ساعتين", "قبل 23 ساعة", "أمس",
                "قبل 6 أيام",
                "12 مايو",
            ]
        ),
        (
            .hebrew,
            [
                "לפני רגע", "לפני רגע", "לפני רגע", "לפני דקה", "לפני דקה", "לפני שתי דקות", "לפני 59 דקות",
                "לפני שעה",
                "לפני שעה", "לפני שעתיים", "לפני 23 שעות", "אתמול", "לפני 6 ימים", "12 במאי",
            ]
        ),
    ]

    @Test(
        arguments: pastTexts,
        ["UTC", "Pacific/Kiritimati", "America/St_Johns"]
    )
    func `past times are exact at every limit`(_ expected: (CardLanguage, [String]), _ zone: String) {
        let relative = Self.relative(expected.0, zone)
        // About noon in that zone, so that the date is the 12th.
        let time = zone == "Pacific/Kiritimati" ? Self.noon - 14 * Self.hour : Self.noon
        #expect(Self.past.map { relative.text(time, now: time + $0).plainSpaces } == expected.1)
    }

    private static let aheadTexts: [(TimeInterval, String)] = [
        (0.001, "now"), (59.999, "now"), (60, "in 1 minute"), (89.999, "in 1 minute"), (90, "in 2 minutes"),
        (3569.999, "in 59 minutes"), (3570, "in 1 hour"), (3600, "in 1 hour"), (5399.999, "in 1 hour"),
        (5400, "in 2 hours"), (7199.9, "in 2 hours"), (7200, "in 2 hours"), (86_399.999, "in 23 hours"),
        (86_400, "tomorrow"),
        (129_599.999, "tomorrow"), (129_600, "in 2 days"), (561_599.999, "in 6 days"),
        (561_600, "May 19"), (25_920_000, "Mar 8, 2027"),
    ]

    @Test(arguments: aheadTexts)
    func `future times are exact at every limit`(_ ahead: TimeInterval, _ expected: String) {
        #expect(Self.relative(.english).text(Self.noon + ahead, now: Self.noon) == expected)
    }

    @Test(arguments: [
        (CardLanguage.english, ["now", "in 2 hours", "tomorrow", "in 3 days"]),
        (.german, ["jetzt", "in 2 Stunden", "morgen", "in 3 Tagen"]),
        (.french, ["maintenant", "dans 2 heures", "demain", "dans 3 jours"]),
        (.spanish, ["ahora", "dentro de 2 horas", "mañana", "dentro de 3 días"]),
        (.portuguese, ["agora", "em 2 horas", "amanhã", "em 3 dias"]),
        (.japanese, ["今", "2 時間後", "明日", "3 日後"]),
        (.arabic, ["الآن", "خلال ساعتين", "غدًا", "خلال 3 أيام"]),
        (.hebrew, ["עכשיו", "בעוד שעתיים", "מחר", "בעוד 3 ימים"]),
    ])
    func `future times are in the reader's language`(_ language: CardLanguage, _ expected: [String]) {
        let relative = Self.relative(language)
        let ahead = [30, 2 * Self.hour, Self.day, 3 * Self.day]
        #expect(ahead.map { relative.text(Self.noon + $0, now: Self.noon).plainSpaces } == expected)
    }

    @Test(arguments: [("UTC", "2 days ago"), ("Pacific/Kiritimati", "yesterday"), ("America/St_Johns", "yesterday")])
    func `38 hours ago is yesterday where one midnight is in between`(_ zone: String, _ expected: String) {
        let text = Self.relative(.english, zone)
            .text(Self.date("2026-05-11T11:00:00Z"), now: Self.date("2026-05-13T01:00:00Z"))
        #expect(text == expected)
    }

    @Test(arguments: [
        // Clocks are set forward in the night to 8 March 2026: the day has 23 hours.
        ("2026-03-07T15:30:00Z", "2026-03-08T15:29:59Z", "23 hours ago"),
        ("2026-03-07T15:30:00Z", "2026-03-08T15:30:00Z", "yesterday"),
        ("2026-03-07T15:30:00Z", "2026-03-09T02:29:59Z", "yesterday"),
        ("2026-03-07T15:30:00Z", "2026-03-09T02:30:00Z", "2 days ago"),
        // They are set back on 1 November 2026, which has 25 hours.
        ("2026-11-01T02:30:00Z", "2026-11-02T02:30:00Z", "23 hours ago"),
        ("2026-11-01T02:30:00Z", "2026-11-02T03:29:59Z", "23 hours ago"),
        ("2026-11-01T02:30:00Z", "2026-11-02T03:30:00Z", "yesterday"),
        ("2026-11-02T03:29:59Z", "2026-11-01T02:30:00Z", "in 23 hours"),
        // Until 2011 they were set back at one minute past midnight, into the day before.
        ("2010-11-05T12:00:00Z", "2010-11-07T02:29:59Z", "yesterday"),
        ("2010-11-05T12:00:00Z", "2010-11-07T02:30:00Z", "2 days ago"),
        ("2010-11-05T12:00:00Z", "2010-11-07T02:31:00Z", "yesterday"),
        ("2010-11-05T12:00:00Z", "2010-11-07T03:30:00Z", "2 days ago"),
    ])
    func `days in Newfoundland end at midnight, also when clocks change`(
        _ time: String,
        _ now: String,
        _ expected: String
    ) {
        #expect(Self.relative(.english, "America/St_Johns").text(Self.date(time), now: Self.date(now)) == expected)
    }

    @Test(arguments: [
        ("UTC", "2026-12-31T23:59:59Z", "2027-01-01T00:00:00Z"),
        ("Pacific/Kiritimati", "2026-12-31T09:59:59Z", "2026-12-31T10:00:00Z"),
        ("America/St_Johns", "2027-01-01T03:29:59Z", "2027-01-01T03:30:00Z"),
    ])
    func `a date has its year from the reader's new year on`(_ zone: String, _ before: String, _ after: String) {
        let relative = Self.relative(.english, zone)
        let time = Self.date("2026-12-20T03:00:00Z")
        let day = zone == "America/St_Johns" ? "Dec 19" : "Dec 20"
        #expect(relative.text(time, now: Self.date(before)) == day)
        #expect(relative.text(time, now: Self.date(after)) == "\(day), 2026")
        #expect(relative.text(Self.date(after), now: Self.date(before)) == "now")
        #expect(relative.nextChange(of: time, after: Self.date(before)) == Self.date(after))
    }

    @Test(arguments: [
        ("2028-02-29T12:00:00Z", "2028-03-01T12:00:00Z", "yesterday"),
        ("2028-02-28T12:00:00Z", "2028-03-01T12:00:00Z", "2 days ago"),
        ("2027-02-28T12:00:00Z", "2027-03-01T12:00:00Z", "yesterday"),
        ("2028-02-29T12:00:00Z", "2028-03-07T12:00:00Z", "Feb 29"),
        ("2028-02-29T12:00:00Z", "2029-02-28T12:00:00Z", "Feb 29, 2028"),
        ("2026-12-31T12:00:00Z", "2027-01-01T12:00:00Z", "yesterday"),
        ("2026-12-28T12:00:00Z", "2027-01-03T12:00:00Z", "6 days ago"),
        ("2026-12-28T12:00:00Z", "2027-01-04T12:00:00Z", "Dec 28, 2026"),
    ])
    func `leap days and ends of years count as other days`(_ time: String, _ now: String, _ expected: String) {
        #expect(Self.relative(.english).text(Self.date(time), now: Self.date(now)) == expected)
    }

    @Test(arguments: CardLanguage.allCases)
    func `each number of a unit has its own text`(_ language: CardLanguage) {
        let relative = Self.relative(language)
        let distances =
            (0..<60).map { Double($0) * Self.minute } + (1..<24).map { Double($0) * Self.hour }
            + (1...6).map { Double($0) * Self.day }
        let texts = (distances + distances.dropFirst().map { -$0 }).map {
            relative.text(Self.noon, now: Self.noon + $0)
        }
        #expect(Set(texts).count == texts.count)
    }

    @Test func `an app replaces the texts for now`() {
        let texts = CardTexts(.german).replacing([.justNow: "soeben", .now: "gleich"])
        let relative = RelativeTime(texts: texts, timeZone: .gmt)
        #expect(relative.text(Self.noon, now: Self.noon + 5) == "soeben")
        #expect(relative.text(Self.noon + 5, now: Self.noon) == "gleich")
    }

    @Test(arguments: [
        ("en", "Tuesday, May 12, 2026 at 9:30 AM"), ("en-GB", "Tuesday, 12 May 2026 at 9:30"),
        ("de", "Dienstag, 12. Mai 2026 um 9:30"), ("fr", "mardi 12 mai 2026 à 9:30"),
        ("es", "martes, 12 de mayo de 2026, 9:30"), ("pt-BR", "terça-feira, 12 de maio de 2026 às 9:30"),
        ("ja", "2026年5月12日 火曜日 9:30"), ("ar", "الثلاثاء، 12 مايو، 2026، 9:30 ص"),
        ("he", "יום שלישי, 12 במאי 2026 בשעה 9:30"),
    ])
    func `an exact time is in the reader's language and zone`(_ tag: String, _ expected: String) {
        let relative = RelativeTime(
            texts: CardTexts(preferring: [tag]),
            timeZone: TimeZone(identifier: "America/St_Johns")!
        )
        #expect(relative.exact(Self.noon).plainSpaces == expected)
    }

    @Test func `a machine-readable time is in UTC in every zone`() {
        let relative = Self.relative(.arabic, "Pacific/Kiritimati")
        #expect(relative.machine(Self.noon) == "2026-05-12T12:00:00Z")
        #expect(relative.machine(Self.noon + 0.25) == "2026-05-12T12:00:00.25Z")
    }

    @Test(arguments: [
        Date.distantPast.timeIntervalSince1970, Date.distantFuture.timeIntervalSince1970, .nan, .infinity, -.infinity,
        1e300,
    ])
    func `a time outside of the calendar has a text`(_ seconds: TimeInterval) {
        let time = Date(timeIntervalSince1970: seconds)
        let relative = Self.relative(.english, "America/St_Johns")
        for (time, now) in [(time, Self.noon), (Self.noon, time), (time, time)] {
            #expect(!relative.text(time, now: now).isEmpty)
            _ = relative.nextChange(of: time, after: now)
        }
        #expect(!relative.exact(time).isEmpty)
        #expect(!relative.machine(time).isEmpty)
    }

    @Test func `cached texts are those of their reader and time`() {
        let readers = ["en", "en-GB", "ar", "ar-EG"].flatMap { tag in
            ["UTC", "Pacific/Kiritimati", "America/St_Johns"].map {
                RelativeTime(texts: CardTexts(preferring: [tag]), timeZone: TimeZone(identifier: $0)!)
            }
        }
        let times = [-120, -7200, -172_800, -8 * Self.day, -400 * Self.day, 120, 7200, 172_800, 8 * Self.day].map {
            Self.noon + $0
        }
        func all() -> [String] {
            readers.flatMap { reader in times.flatMap { [reader.text($0, now: Self.noon), reader.exact($0)] } }
        }
        let first = all()
        // More than the cache holds, so that the first ones are computed again.
        for minute in 0..<5001 { _ = readers[0].exact(Self.noon + Double(minute) * Self.minute) }
        #expect(all() == first)
        #expect(all() == first)
        #expect(readers[0].exact(Self.noon) != readers[0].exact(Self.noon + Self.minute))
        #expect(readers[0].exact(Self.noon) != readers[1].exact(Self.noon))
    }
}
