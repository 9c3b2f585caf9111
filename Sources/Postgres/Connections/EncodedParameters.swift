import Foundation

/// The parameters of a statement as libpq takes them.
struct EncodedParameters {
    let types: [UInt32]
    private var bytes: [UInt8]
    /// The place and length of each; a length of -1 is null.
    private var parts: [(place: Int, length: Int)] = []

    var count: Int { types.count }

    /// - Throws: ``PostgresError`` of the kind `invalidValue`.
    init(_ statement: PostgresStatement) throws(PostgresError) {
        guard !statement.sql.containsNull else {
            throw PostgresError(.invalidValue, "the statement contains U+0000")
        }
        guard statement.parameters.count <= Int(UInt16.max) else {
            throw PostgresError(.invalidValue, "a statement has at most 65,535 parameters; pass arrays")
        }
        // Never empty, so that an empty value has an address, which null has not.
        bytes = [0]
        var types: [UInt32] = []
        types.reserveCapacity(statement.parameters.count)
        for (index, parameter) in statement.parameters.enumerated() {
            types.append(type(of: parameter).postgresType.id)
            let place = bytes.count
            do throws(PostgresError) {
                let hasValue = try parameter.encode(into: &bytes)
                try PostgresError.checkSize(bytes.count - place)
                parts.append((place, hasValue ? bytes.count - place : -1))
            } catch {
                throw PostgresError(error.kind, "parameter \(index + 1): \(error.message)")
            }
        }
        self.types = types
    }

    /// Calls a function of libpq with the types, values, lengths and formats.
    func withPointers(
        _ body: (
            UnsafePointer<UInt32>?, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?
        ) -> Int32
    ) -> Int32 {
        bytes.withUnsafeBytes { buffer in
            let values = parts.map { part -> UnsafePointer<CChar>? in
                guard part.length >= 0, let base = buffer.baseAddress else { return nil }
                return (base + part.place).assumingMemoryBound(to: CChar.self)
            }
            let lengths = parts.map { Int32(max($0.length, 0)) }
            let formats = [Int32](repeating: 1, count: parts.count)
            return body(types, values, lengths, formats)
        }
    }
}

extension String {
    /// Whether it contains U+0000. Statements are long, and run often: this compares no characters.
    fileprivate var containsNull: Bool {
        utf8.withContiguousStorageIfAvailable { bytes in
            guard let start = bytes.baseAddress else { return false }
            return memchr(start, 0, bytes.count) != nil
        } ?? utf8.contains(0)
    }
}
