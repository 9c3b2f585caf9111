/// The date format of mails.
package enum MailDate {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Returns a date, given in seconds since 1970, in the format of RFC 5322, in UTC.
    package static func text(_ seconds: Int) -> String {
        let day = seconds / 86_400
        // Computes the civil date of a day. The years begin in March, so that leap days are at their ends.
        let shifted = day + 719_468
        let (era, ofEra) = shifted.quotientAndRemainder(dividingBy: 146_097)
        let yearOfEra = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * ofYear + 2) / 153
        let dayOfMonth = ofYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = (monthFromMarch + 2) % 12
        let year = yearOfEra + era * 400 + (month < 2 ? 1 : 0)
        let time = [seconds / 3_600 % 24, seconds / 60 % 60, seconds % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
        return "\(days[day % 7]), \(dayOfMonth) \(months[month]) \(year) \(time.joined(separator: ":")) +0000"
    }
}
