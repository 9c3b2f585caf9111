/// A JSON value as text: a slice of a larger text that has been validated as a whole. It is parsed on access.
///
/// Slicing copies nothing. The text is immutable and shared.
package struct JSONText: Sendable {
    private let whole: [UInt8]
    private let range: Range<Int>
    private let depthLimit: Int
    /// The end offsets of long values in the whole text, so that text that is sliced level by level is scanned once.
    private let ends: [Int: Int]

    /// Validates a text that holds one value.
    ///
    /// - Throws: ``JSONSyntaxError``. Names repeated within an object aren't detected here: ``members`` contains both,
    ///   the subscript returns the first, and ``value`` is null.
    package init(
        checking bytes: [UInt8],
        depthLimit: Int = JSONScanner.defaultDepthLimit
    ) throws(JSONSyntaxError) {
        let result = bytes.withUnsafeBufferPointer { buffer in
            Result { () throws(JSONSyntaxError) -> (Range<Int>, [Int: Int]) in
                if let offset = UTF8Validation.firstError(in: buffer) {
                    throw JSONSyntaxError(reason: .notUTF8, offset: offset)
                }
                var scanner = JSONScanner(buffer, depthLimit: depthLimit, recordsEnds: true)
                let range = try scanner.skipValue()
                try scanner.end()
                return (range, scanner.ends ?? [:])
            }
        }
        (range, ends) = try result.get()
        whole = bytes
        self.depthLimit = depthLimit
    }

    private init(part range: Range<Int>, of text: JSONText) {
        whole = text.whole
        self.range = range
        depthLimit = text.depthLimit
        ends = text.ends
    }

    /// The text.
    package var bytes: ArraySlice<UInt8> { whole[range] }

    package func withBytes<R, Failure: Error>(
        _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> R
    ) throws(Failure) -> R {
        try whole.withUnsafeBufferPointer { (buffer) throws(Failure) in
            try body(UnsafeBufferPointer(rebasing: buffer[range]))
        }
    }

    /// The parsed value. It is null if an object in it repeats a name.
    package var value: JSON {
        scan { (scanner) throws(JSONSyntaxError) in try JSON(reading: &scanner) } ?? .null
    }

    /// The elements, or nil if this isn't an array.
    package var elements: [JSONText]? {
        scan { (scanner) throws(JSONSyntaxError) -> [JSONText]? in
            guard try scanner.peek() == .array else { return nil }
            try scanner.beginArray()
            var elements: [JSONText] = []
            while try scanner.nextElement(first: elements.isEmpty) {
                elements.append(JSONText(part: try scanner.skipValue(ending: ends), of: self))
            }
            return elements
        } ?? nil
    }

    /// The members, or nil if this isn't an object.
    package var members: [(name: String, value: JSONText)]? {
        scan { (scanner) throws(JSONSyntaxError) -> [(name: String, value: JSONText)]? in
            guard try scanner.peek() == .object else { return nil }
            try scanner.beginObject()
            var members: [(name: String, value: JSONText)] = []
            while let name = try scanner.nextName(first: members.isEmpty) {
                members.append((scanner.text(name), JSONText(part: try scanner.skipValue(ending: ends), of: self)))
            }
            return members
        } ?? nil
    }

    /// The first member with the given name, if this is an object that has it.
    package subscript(_ name: String) -> JSONText? {
        members?.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }

    /// Scans this slice. The whole text is valid, so the only possible error is a repeated name, for which this returns
    /// nil.
    private func scan<R>(_ body: (inout JSONScanner) throws(JSONSyntaxError) -> R) -> R? {
        whole.withUnsafeBufferPointer { buffer in
            var scanner = JSONScanner(
                UnsafeBufferPointer(rebasing: buffer[..<range.upperBound]),
                from: range.lowerBound,
                depthLimit: depthLimit
            )
            return try? body(&scanner)
        }
    }
}
