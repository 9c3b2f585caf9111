import Foundation

/// The weight of a font, from 100 (thinnest) to 900.
public struct AppInboxFontWeight: Hashable, Sendable, Comparable {
    /// The weight: a multiple of 100 from 100 to 900.
    public let value: Int

    /// The weight 400.
    public static let normal = AppInboxFontWeight(value: 400)
    /// The weight 600.
    public static let semibold = AppInboxFontWeight(value: 600)
    /// The weight 700.
    public static let bold = AppInboxFontWeight(value: 700)

    private init(value: Int) { self.value = value }

    /// Reads a weight in one of Bloomreach's notations: `normal`, `bold`, or a multiple of 100 from `100` to `900`.
    ///
    /// - Throws: ``AppInboxStyleProblem/Reason``: `invalidWeight`, or `outOfRange` for another number.
    public init(_ notation: String) throws(AppInboxStyleProblem.Reason) {
        switch notation.trimmed.lowercased() {
        case "normal": self = .normal
        case "bold": self = .bold
        case let text:
            guard let number = Double(decimal: text) else { throw .invalidWeight }
            guard (100...900).contains(number), number.truncatingRemainder(dividingBy: 100) == 0 else {
                throw .outOfRange
            }
            self.init(value: Int(number))
        }
    }

    /// Whether one weight is thinner than another.
    public static func < (one: AppInboxFontWeight, other: AppInboxFontWeight) -> Bool { one.value < other.value }
}

/// A size or radius in points, as styles write it.
enum AppInboxLength {
    /// The units that are read. All of them are points here.
    private static let units = ["px", "pt", "dp", "dip", "sp"]

    /// Reads a number with or without a unit: `12`, `12.5`, `12px`.
    static func points(
        _ notation: String,
        in range: ClosedRange<Double>
    ) throws(AppInboxStyleProblem.Reason) -> Double {
        let text = notation.trimmed.lowercased()
        let unit = units.first(where: text.hasSuffix) ?? ""
        guard let number = Double(decimal: String(text.dropLast(unit.count)).trimmed) else { throw .invalidNumber }
        guard range.contains(number) else { throw .outOfRange }
        return number
    }
}

extension String {
    /// The text without space around it.
    var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}

extension Double {
    /// Reads a decimal number of at most 20 characters, without an exponent, infinity or hexadecimal digits.
    init?(decimal text: String) {
        guard text.utf8.count <= 20, text.utf8.allSatisfy({ (48...57).contains($0) || $0 == 45 || $0 == 46 }) else {
            return nil
        }
        self.init(text)
    }
}
