import Groundwork

/// Checks that parsed JSON is encoded to text that parses to the same value.
struct JSONFuzzTarget: FuzzTarget {
    func process(_ bytes: [UInt8]) {
        guard let json = try? JSON(parsing: bytes) else { return }
        let text = json.description
        guard let again = try? JSON(parsing: text.utf8) else { fatalError("not parsed again: \(text)") }
        check(again == json, "parsed as another value: \(text)")
        check(again.description == text, "encoded differently: \(text)")
    }
}
