// Declarations of what UIKit says of fields for text, from Apple's public documentation.

public enum UIKeyboardType: Int, Sendable {
    case `default` = 0
    case emailAddress = 7
}

public struct UITextContentType: Hashable, Sendable {
    let name: String
    public static let emailAddress = UITextContentType(name: "emailAddress")
}
