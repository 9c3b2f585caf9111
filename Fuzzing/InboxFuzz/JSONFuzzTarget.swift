import Groundwork

/// Checks that parsed JSON is encoded to text that parses to the same value.
struct JSONFuzzTarget: FuzzTarget {
    func process(_ bytes: [UInt8]) {
        guard let json = try? JSON(parsing: bytes) else { return }
        let text = json.description
        guard let again = try? JSON(parsing: text.utf8) else { fatalError("not read again: \(text)") }
        check(again == json, "read as something else: \(text)")
        check(again.description == text, "written in another way: \(text)")
    }
}
