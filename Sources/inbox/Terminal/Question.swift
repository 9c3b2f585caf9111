import Foundation

/// A question at a terminal.
enum Question {
    /// Asks until the person gives one of the answers, or their first letter in either case.
    ///
    /// - Parameters:
    ///   - answers: The answers, in lowercase.
    ///   - standard: The answer for an empty line.
    ///   - end: The answer at the end of the input, after which no question is answered; nil for that of an empty line.
    static func ask(
        _ text: String,
        _ answers: [String],
        default standard: String,
        atEnd end: String? = nil
    ) -> String {
        while true {
            Output.status(text)
            guard let line = readLine() else {
                Output.status("\n")
                return end ?? standard
            }
            let typed = line.trimmingCharacters(in: .whitespaces).lowercased()
            if typed.isEmpty { return standard }
            if let answer = answers.first(where: { typed.hasPrefix($0) }) { return answer }
        }
    }
}
