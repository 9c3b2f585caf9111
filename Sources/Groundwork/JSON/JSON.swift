/// A JSON value. Integers are exact and members keep their order.
package enum JSON: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
    case array([JSON])
    case object(JSONObject)

    /// Parses JSON text.
    ///
    /// - Parameters:
    ///   - bytes: The text, in UTF-8.
    ///   - depthLimit: The maximum nesting depth of arrays and objects.
    ///   - valueLimit: The maximum number of values, including those in arrays and objects. It bounds memory, since
    ///     each value takes some however short its text.
    /// - Throws: ``JSONSyntaxError`` if the text isn't JSON, isn't UTF-8, repeats a name within an object, nests too
    ///   deeply or has too many values.
    package init(
        parsing bytes: some Collection<UInt8>,
        depthLimit: Int = JSONScanner.defaultDepthLimit,
        valueLimit: Int = .max
    ) throws(JSONSyntaxError) {
        let result = bytes.withContiguousBytes { buffer -> Result<JSON, JSONSyntaxError> in
            Result { () throws(JSONSyntaxError) -> JSON in
                if let offset = UTF8Validation.firstError(in: buffer) {
                    throw JSONSyntaxError(reason: .notUTF8, offset: offset)
                }
                var scanner = JSONScanner(buffer, depthLimit: depthLimit, valueLimit: valueLimit)
                let value = try JSON(reading: &scanner)
                try scanner.end()
                return value
            }
        }
        self = try result.get()
    }

    /// Reads the scanner's next value.
    package init(reading scanner: inout JSONScanner) throws(JSONSyntaxError) {
        try scanner.countValue()
        switch try scanner.peek() {
        case .null:
            _ = try scanner.skipValue()
            self = .null
        case .bool:
            let range = try scanner.skipValue()
            self = .bool(scanner.bytes[range.lowerBound] == UInt8(ascii: "t"))
        case .number:
            let range = try scanner.skipNumber()
            self = .number(JSONNumber(validText: scanner.text(range)))
        case .string:
            let range = try scanner.skipString()
            self = .string(scanner.text(range))
        case .array:
            try scanner.beginArray()
            var elements: [JSON] = []
            while try scanner.nextElement(first: elements.isEmpty) {
                elements.append(try JSON(reading: &scanner))
            }
            self = .array(elements)
        case .object:
            try scanner.beginObject()
            var object = JSONObject()
            while let name = try scanner.nextName(first: object.isEmpty) {
                let value = try JSON(reading: &scanner)
                guard object.add(scanner.text(name), value) else {
                    throw JSONSyntaxError(reason: .repeatedName, offset: name.lowerBound)
                }
            }
            self = .object(object)
        }
    }

    package var stringValue: String? { if case .string(let value) = self { value } else { nil } }
    package var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }
    package var arrayValue: [JSON]? { if case .array(let value) = self { value } else { nil } }
    package var objectValue: JSONObject? { if case .object(let value) = self { value } else { nil } }
    /// The number, if it is an integer that fits in `Int`, even if it is written as `1.0` or `1e2`.
    package var intValue: Int? { if case .number(let value) = self { value.intValue } else { nil } }

    /// The member with the given name, if this is an object that has it.
    package subscript(_ name: String) -> JSON? { objectValue?[name] }
}

// JSON isn't expressible by `nil`: in `flag ? nil : JSON(1)`, meant as an optional, `nil` would silently become JSON's
// null.
extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int) { self = .number(JSONNumber(value)) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(arrayLiteral elements: JSON...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(JSONObject(elements.map { ($0.0, $0.1) }))
    }

    package init(_ value: Int) { self = .number(JSONNumber(value)) }
    package init(_ values: some Sequence<String>) { self = .array(values.map(JSON.string)) }
}

extension Collection<UInt8> {
    fileprivate func withContiguousBytes<R>(_ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
        withContiguousStorageIfAvailable(body) ?? Array(self).withUnsafeBufferPointer(body)
    }
}
