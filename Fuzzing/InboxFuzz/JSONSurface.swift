import Groundwork

/// Checks that parsed JSON is encoded to text that parses to the same value.
struct JSONSurface: Surface {
    func take(_ bytes: [UInt8]) {
        guard let json = try? JSON(parsing: bytes) else { return }
        let text = json.description
        guard let again = try? JSON(parsing: text.utf8) else { fatalError("not read again: \(text)") }
        rule(again == json, "read as something else: \(text)")
        rule(again.description == text, "written in another way: \(text)")
    }
}
