#if PostgreSQL
    import Foundation
    import Groundwork

    /// A value of a column, the same whichever database it is in.
    ///
    /// A text is kept as its bytes: Swift's strings would repair what isn't UTF-8, and two texts that differ could be
    /// equal.
    enum MovedValue: Hashable, Sendable {
        case null
        /// Also a flag: 0 or 1.
        case integer(Int)
        case text([UInt8])
        case bytes([UInt8])
        /// A number with a fraction, which no column has.
        case fraction

        /// The size in bytes, about.
        var size: Int {
            switch self {
            case .text(let bytes), .bytes(let bytes): bytes.count + 8
            default: 8
            }
        }
    }

    /// The order of both databases' indexes: texts are compared by their bytes.
    extension MovedValue: Comparable {
        static func < (one: MovedValue, other: MovedValue) -> Bool {
            switch (one, other) {
            case (.integer(let one), .integer(let other)): one < other
            case (.text(let one), .text(let other)), (.bytes(let one), .bytes(let other)):
                one.lexicographicallyPrecedes(other)
            default: one.rank < other.rank
            }
        }

        private var rank: Int {
            switch self {
            case .null: 0
            case .integer, .fraction: 1
            case .text: 2
            case .bytes: 3
            }
        }
    }

    /// The value as in a message to an operator: one line, of bytes the beginning.
    extension MovedValue: CustomStringConvertible {
        var description: String {
            switch self {
            case .null: "null"
            case .integer(let number): "\(number)"
            case .fraction: "a fraction"
            case .text(let bytes): String(decoding: bytes.prefix(60), as: UTF8.self).debugDescription
            case .bytes(let bytes): "0x" + bytes.prefix(8).hexadecimal + (bytes.count > 8 ? "…" : "")
            }
        }
    }

    /// The values of a row, in the order of its table's columns.
    typealias MovedRow = [MovedValue]

    /// The rows of a table in the order of its key, one by one.
    protocol MovedRows: AnyObject {
        /// Returns the next row. Nil at the end.
        func next() throws -> MovedRow?
    }
#endif
