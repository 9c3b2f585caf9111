public import Foundation
import Groundwork

extension AppInboxStyle {
    /// The sizes of a text that have an effect, in points.
    static let textSizes = 1.0...500
    /// The radii of corners that have an effect, in points.
    static let radii = 0.0...1_000

    /// Reads a style from JSON, whose members have the names of the properties:
    ///
    /// ```json
    /// {"listView": {"list": {"backgroundColor": "rgb(255, 255, 255)", "item": {"title": {"textSize": 18}}}}}
    /// ```
    ///
    /// Sizes, radii and weights are texts or numbers, and a yes or no may be `"true"` or `"false"`. A member without
    /// effect is left out, because it has another type, is in an unknown notation or isn't in the tree. The rest is
    /// read.
    ///
    /// - Parameters:
    ///   - json: The JSON, in UTF-8.
    ///   - report: Receives each member without effect, in the order of the document. By default none is reported.
    /// - Throws: ``AppInboxStyleProblem`` `notAnObject` if the text isn't a JSON object, repeats a name or nests deeper
    ///   than 32.
    public init(
        json: Data,
        report: (AppInboxStyleProblem) -> Void = { _ in }
    ) throws(AppInboxStyleProblem) {
        guard let value = try? JSON(parsing: json, depthLimit: 32), let object = value.objectValue else {
            throw AppInboxStyleProblem(.notAnObject, at: [])
        }
        self.init()
        var reading = StyleReading()
        read(object, in: &reading)
        reading.problems.forEach(report)
    }

    /// The values that have no effect, because their notation isn't known.
    public var problems: [AppInboxStyleProblem] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        var problems: [AppInboxStyleProblem] = []
        if let json = try? encoder.encode(self) { _ = try? AppInboxStyle(json: json) { problems.append($0) } }
        return problems
    }
}

/// The place in the tree that is being read, and the problems so far.
struct StyleReading {
    private(set) var problems: [AppInboxStyleProblem] = []
    private var path: [String] = []

    /// Reads the members of an object in order. The closure returns whether it knows the name. Null is as if it weren't
    /// there.
    mutating func each(_ object: JSONObject, _ body: (String, JSON, inout StyleReading) -> Bool) {
        for (name, value) in object.members where value != .null {
            path.append(name)
            if !body(name, value, &self) { report(.unknownMember) }
            path.removeLast()
        }
    }

    private mutating func report(_ reason: AppInboxStyleProblem.Reason) {
        problems.append(AppInboxStyleProblem(reason, at: path))
    }

    // Each of these is nil for a value without effect, which is reported.

    mutating func text(_ value: JSON) -> String? {
        notation(value.stringValue) { (_: String) throws(AppInboxStyleProblem.Reason) in }
    }

    mutating func color(_ value: JSON) -> String? {
        notation(value.stringValue) { (text: String) throws(AppInboxStyleProblem.Reason) in
            _ = try AppInboxColor(text)
        }
    }

    mutating func weight(_ value: JSON) -> String? {
        notation(textOrNumber(value)) { (text: String) throws(AppInboxStyleProblem.Reason) in
            _ = try AppInboxFontWeight(text)
        }
    }

    mutating func length(_ value: JSON, in range: ClosedRange<Double>) -> String? {
        notation(textOrNumber(value)) { (text: String) throws(AppInboxStyleProblem.Reason) in
            _ = try AppInboxLength.points(text, in: range)
        }
    }

    mutating func bool(_ value: JSON) -> Bool? {
        switch value {
        case .bool(let bool): return bool
        case .string(let text) where text.trimmed.lowercased() == "true": return true
        case .string(let text) where text.trimmed.lowercased() == "false": return false
        default:
            report(.wrongType)
            return nil
        }
    }

    mutating func part<Part: StylePart>(_ value: JSON) -> Part? {
        guard let object = value.objectValue else {
            report(.wrongType)
            return nil
        }
        var part = Part.unset
        part.read(object, in: &self)
        return part
    }

    private func textOrNumber(_ value: JSON) -> String? {
        if case .number(let number) = value { number.text } else { value.stringValue }
    }

    private mutating func notation(
        _ text: String?,
        _ check: (String) throws(AppInboxStyleProblem.Reason) -> Void
    ) -> String? {
        do throws(AppInboxStyleProblem.Reason) {
            guard let text else { throw .wrongType }
            try check(text)
            return text
        } catch {
            report(error)
            return nil
        }
    }
}
