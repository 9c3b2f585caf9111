import Groundwork
import SeededRandom
import Testing

/// Numbers: kept as text, read exactly or not at all.
@Suite(.timeLimit(.minutes(5))) struct JSONNumberTests {
    private func number(_ text: String) throws -> JSONNumber {
        guard case .number(let number) = try JSON(parsing: text.utf8) else { throw Mismatch() }
        return number
    }

    private struct Mismatch: Error {}

    @Test(arguments: [
        ("0", 0), ("-0", 0), ("0.0", 0), ("-0.0", 0), ("0e99", 0), ("0e99999999999999999999", 0), ("1", 1), ("-1", -1),
        ("1.0", 1), ("1e0", 1), ("1e2", 100), ("1E+2", 100), ("100e-2", 1), ("12.50e1", 125), ("-12.50e1", -125),
        ("9007199254740991", 9_007_199_254_740_991), ("-9007199254740991", -9_007_199_254_740_991),
        ("9007199254740993.0", 9_007_199_254_740_993), ("9.007199254740993e15", 9_007_199_254_740_993),
        ("9223372036854775807", .max), ("-9223372036854775808", .min), ("9223372036854775807.000", .max),
        ("-922337203685477580.8e1", .min), ("1e18", 1_000_000_000_000_000_000), ("0.000001e6", 1),
    ])
    func `a whole number is exact in every notation`(text: String, value: Int) throws {
        #expect(try number(text).intValue == value)
    }

    @Test(arguments: [
        "0.5", "-1.5", "1e-1", "1.0000000000000000000001", "9007199254740992.5", "9223372036854775808",
        "-9223372036854775809", "1e19", "1e400", "1e9223372036854775807", "1e-9223372036854775808",
        "1e99999999999999999999", "123456789012345678901234567890",
    ])
    func `a number that isn't whole or doesn't fit has no integer value`(text: String) throws {
        #expect(try number(text).intValue == nil)
    }

    @Test(arguments: ["1.0", "1e400", "-0", "123456789012345678901234567890.10", "1E+05"])
    func `a number's text is written as it was read`(text: String) throws {
        #expect(try JSON(parsing: "[\(text)]".utf8).description == "[\(text)]")
    }

    @Test func `a double is the nearest value, and nil beyond the range`() throws {
        #expect(try number("0.1").doubleValue == 0.1)
        #expect(try number("1e308").doubleValue == 1e308)
        #expect(try number("1e-400").doubleValue == 0)
        #expect(try number("1e309").doubleValue == nil)
        #expect(try number("-1e309").doubleValue == nil)
    }

    @Test func `every integer is the same after it is written and read`() throws {
        var random = Seeded(3)
        for _ in 0..<1000 {
            let value = Int.random(in: .min ... .max, using: &random) >> Int.random(in: 0...63, using: &random)
            #expect(try JSON(parsing: JSON(value).utf8).intValue == value)
            #expect(try number("\(value).0").intValue == value)
        }
    }
}
