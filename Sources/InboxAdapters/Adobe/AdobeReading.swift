import Groundwork

/// The result of reading an item of a proposition: the item, or one consequence of a ruleset.
package struct AdobeReading: Hashable, Sendable {
    /// The index among the proposition's items.
    package let index: Int
    /// The id of the item, whatever else it contains. Empty if there is none.
    let id: String
    /// The index of the rule and of its consequence. Nil if the item isn't a ruleset, or can't be read.
    package private(set) var consequence: Consequence?
    /// The item, or the error that it can't be read.
    package let item: Result<AdobeItem, AdapterError>
    /// The rule's condition, or nil if the item has none.
    private var condition: JSON?
    private var conditionLocation = JSONPointer()

    /// The place of a consequence in a ruleset.
    package struct Consequence: Hashable, Sendable {
        package let rule, index: Int
    }

    /// The schema of an item with rules instead of a card.
    static let rulesetSchema = "https://ns.adobe.com/personalization/ruleset-item"

    init(index: Int, id: String, item: Result<AdobeItem, AdapterError>) {
        (self.index, self.id, self.item) = (index, id, item)
    }

    /// The rule's condition with its location, or nil if the item has none.
    var conditionReader: JSONReader? { condition.map { JSONReader($0, at: conditionLocation) } }

    /// Reads an item of a proposition. A ruleset has a reading for each consequence of its rules that is an item, and
    /// an error where there is none.
    static func readings(of reader: JSONReader, index: Int) -> [AdobeReading] {
        guard reader.value["schema"]?.stringValue == rulesetSchema else {
            let item = Result { () throws(AdapterError) -> AdobeItem in try AdobeItem(reading: reader) }
            return [AdobeReading(index: index, id: reader.adobeID, item: item)]
        }
        do throws(AdapterError) {
            let readings = try ruleset(try reader.requiredMember("data"), index: index)
            guard !readings.isEmpty else {
                throw AdapterError(
                    .missing,
                    at: reader.pointer / "data" / "rules",
                    "have no consequence that is an item"
                )
            }
            return readings
        } catch {
            return [AdobeReading(index: index, id: "", item: .failure(error))]
        }
    }

    private static func ruleset(_ data: JSONReader, index: Int) throws(AdapterError) -> [AdobeReading] {
        var readings: [AdobeReading] = []
        for (number, rule) in try data.requiredMember("rules").adobeElements().enumerated() {
            let condition = try rule.requiredMember("condition")
            for (place, consequence) in try rule.requiredMember("consequences").adobeElements().enumerated()
            where consequence.value["type"]?.stringValue == "schema" {
                let item = Result { () throws(AdapterError) -> AdobeItem in
                    try AdobeItem(reading: try consequence.requiredMember("detail"))
                }
                let id = consequence.member("detail")?.adobeID ?? ""
                var reading = AdobeReading(index: index, id: id, item: item)
                reading.consequence = Consequence(rule: number, index: place)
                (reading.condition, reading.conditionLocation) = (condition.value, condition.pointer)
                readings.append(reading)
            }
        }
        return readings
    }
}

extension JSONReader {
    /// The id of an item. Empty if there is none.
    fileprivate var adobeID: String { value["id"]?.stringValue ?? "" }

    /// Returns the elements of an array.
    ///
    /// - Throws: ``AdapterError`` with `wrongType` if this isn't an array.
    fileprivate func adobeElements() throws(AdapterError) -> [JSONReader] {
        guard let elements = value.arrayValue else { throw wrongType("an array") }
        return elements.enumerated().map { index, element in JSONReader(element, at: pointer / index) }
    }
}
