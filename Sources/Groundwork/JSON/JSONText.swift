/// A JSON value that is still text: a part of a larger text that has been checked as a whole, read when asked for.
///
/// Cutting one out copies nothing. The text is immutable and shared.
package struct JSONText: Sendable {
    private let whole: [UInt8]
    private let range: Range<Int>
    private let depthLimit: Int
    /// Where the long values in the whole text end, so that a text that is cut level by level is read once.
    private let ends: [Int: Int]

    /// Checks a text and takes it as one value.
    ///
    /// - Throws: ``JSONSyntaxError``. A name that comes twice in an object isn't noticed here: ``members`` has both,
    ///   the subscript gives the first, and ``value`` is null.
    package init(
        checking bytes: [UInt8],
        depthLimit: Int = JSONScanner.defaultDepthLimit
    ) throws(JSONSyntaxError) {
        let result = bytes.withUnsafeBufferPointer { buffer in
            Result { () throws(JSONSyntaxError) -> (Range<Int>, [Int: Int]) in
                if let offset = UTF8Validation.firstError(in: buffer) {
                    throw JSONSyntaxError(reason: .notUTF8, offset: offset)
                }
                var scanner = JSONScanner(buffer, depthLimit: depthLimit, notesEnds: true)
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

    /// The text itself.
    package var bytes: ArraySlice<UInt8> { whole[range] }

    package func withBytes<R, Failure: Error>(
        _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> R
    ) throws(Failure) -> R {
        try whole.withUnsafeBufferPointer { (buffer) throws(Failure) in
            try body(UnsafeBufferPointer(rebasing: buffer[range]))
        }
    }

    /// The value, read now; null where an object in it has a name twice.
    package var value: JSON {
        scan { (scanner) throws(JSONSyntaxError) in try JSON(reading: &scanner) } ?? .null
    }

    /// The elements, where this is an array; else nil.
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

    /// The members, where this is an object; else nil.
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

    /// The first member of that name, where this is an object that has one.
    package subscript(_ name: String) -> JSONText? {
        members?.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }

    /// Reads within the part. The whole has been checked, so nothing throws but a repeated name, which makes nil.
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
