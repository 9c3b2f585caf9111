/// A language of the lines above a quotation. The raw value is its BCP 47 tag.
package enum QuotationLanguage: String, CaseIterable, Hashable, Sendable {
    case english = "en"
    case german = "de"
    case french = "fr"
    case spanish = "es"
    case portuguese = "pt"
    case japanese = "ja"
    case arabic = "ar"
    case hebrew = "he"

    /// Returns the language of a BCP 47 tag such as `de-AT`; English if it has none of these.
    package init(tag: String) {
        let primary = tag.lowercased().prefix { $0 != "-" && $0 != "_" }
        // The former tag of Hebrew.
        self = QuotationLanguage(rawValue: primary == "iw" ? "he" : String(primary)) ?? .english
    }

    /// Returns the line that introduces a quotation, such as “On 26 November 2026 at 10:02, Anna Müller wrote:”.
    ///
    /// - Parameters:
    ///   - name: The author.
    ///   - moment: The date and time; nil if they aren't known.
    func attribution(name: String, moment: LocalDateTime?) -> String {
        guard let moment else { return attribution(name: name) }
        let (date, time) = (self.date(moment), moment.time)
        return switch self {
        case .english: "On \(date) at \(time), \(name) wrote:"
        case .german: "Am \(date) um \(time) schrieb \(name):"
        case .french: "Le \(date) à \(time), \(name) a écrit\u{A0}:"
        case .spanish: "El \(date) a las \(time), \(name) escribió:"
        case .portuguese: "Em \(date) às \(time), \(name) escreveu:"
        case .japanese: "\(date) \(time)、\(name)のメール:"
        case .arabic: "في \(date) الساعة \(time)، كتب \(name):"
        case .hebrew: "בתאריך \(date) בשעה \(time), נכתב על ידי \(name):"
        }
    }

    private func attribution(name: String) -> String {
        switch self {
        case .english: "\(name) wrote:"
        case .german: "\(name) schrieb:"
        case .french: "\(name) a écrit\u{A0}:"
        case .spanish: "\(name) escribió:"
        case .portuguese: "\(name) escreveu:"
        case .japanese: "\(name)のメール:"
        case .arabic: "كتب \(name):"
        case .hebrew: "נכתב על ידי \(name):"
        }
    }

    /// Returns a date such as “26 November 2026”.
    func date(_ moment: LocalDateTime) -> String {
        let (day, year, month) = (moment.day, moment.year, months[moment.month - 1])
        return switch self {
        case .english, .arabic: "\(day) \(month) \(year)"
        case .german: "\(day). \(month) \(year)"
        case .french: "\(day == 1 ? "1er" : "\(day)") \(month) \(year)"
        case .spanish, .portuguese: "\(day) de \(month) de \(year)"
        case .japanese: "\(year)年\(month)\(day)日"
        case .hebrew: "\(day) ב\(month) \(year)"
        }
    }

    /// Returns the date and time in the header of a mail that is forwarded.
    func dateAndTime(_ moment: LocalDateTime) -> String {
        switch self {
        case .japanese: "\(date(moment)) \(moment.time)"
        case .arabic: "\(date(moment))، \(moment.time)"
        default: "\(date(moment)), \(moment.time)"
        }
    }

    private var months: [String] {
        switch self {
        case .english:
            [
                "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
                "November", "December",
            ]
        case .german:
            [
                "Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober",
                "November", "Dezember",
            ]
        case .french:
            [
                "janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre",
                "novembre", "décembre",
            ]
        case .spanish:
            [
                "enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre",
                "noviembre", "diciembre",
            ]
        case .portuguese:
            [
                "janeiro", "fevereiro", "março", "abril", "maio", "junho", "julho", "agosto", "setembro", "outubro",
                "novembro", "dezembro",
            ]
        case .japanese: (1...12).map { "\($0)月" }
        case .arabic:
            [
                "يناير", "فبراير", "مارس", "أبريل", "مايو", "يونيو", "يوليو", "أغسطس", "سبتمبر", "أكتوبر", "نوفمبر",
                "ديسمبر",
            ]
        case .hebrew:
            [
                "ינואר", "פברואר", "מרץ", "אפריל", "מאי", "יוני", "יולי", "אוגוסט", "ספטמבר", "אוקטובר", "נובמבר",
                "דצמבר",
            ]
        }
    }

    /// The names in the header of a mail that is forwarded.
    struct HeaderNames {
        let divider, from, date, subject, to, cc: String
    }

    var headerNames: HeaderNames {
        switch self {
        case .english:
            HeaderNames(
                divider: "Forwarded message",
                from: "From",
                date: "Date",
                subject: "Subject",
                to: "To",
                cc: "Cc"
            )
        case .german:
            HeaderNames(
                divider: "Weitergeleitete Nachricht",
                from: "Von",
                date: "Datum",
                subject: "Betreff",
                to: "An",
                cc: "Cc"
            )
        case .french:
            HeaderNames(
                divider: "Message transféré",
                from: "De",
                date: "Date",
                subject: "Objet",
                to: "À",
                cc: "Cc"
            )
        case .spanish:
            HeaderNames(
                divider: "Mensaje reenviado",
                from: "De",
                date: "Fecha",
                subject: "Asunto",
                to: "Para",
                cc: "Cc"
            )
        case .portuguese:
            HeaderNames(
                divider: "Mensagem encaminhada",
                from: "De",
                date: "Data",
                subject: "Assunto",
                to: "Para",
                cc: "Cc"
            )
        case .japanese:
            HeaderNames(
                divider: "転送されたメッセージ",
                from: "差出人",
                date: "日付",
                subject: "件名",
                to: "宛先",
                cc: "Cc"
            )
        case .arabic:
            HeaderNames(
                divider: "رسالة معاد توجيهها",
                from: "من",
                date: "التاريخ",
                subject: "الموضوع",
                to: "إلى",
                cc: "نسخة"
            )
        case .hebrew:
            HeaderNames(
                divider: "הודעה שהועברה",
                from: "מאת",
                date: "תאריך",
                subject: "נושא",
                to: "אל",
                cc: "עותק"
            )
        }
    }

    /// Whether it is written from right to left.
    package var isRightToLeft: Bool { self == .arabic || self == .hebrew }
}
