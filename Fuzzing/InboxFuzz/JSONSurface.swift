import Groundwork

/// What is read as JSON is written so that it is read as the same.
struct JSONSurface: Surface {
    func take(_ bytes: [UInt8]) {
        guard let json = try? JSON(parsing: bytes) else { return }
        let text = json.description
        guard let again = try? JSON(parsing: text.utf8) else { fatalError("not read again: \(text)") }
        rule(again == json, "read as something else: \(text)")
        rule(again.description == text, "written in another way: \(text)")
    }
}
