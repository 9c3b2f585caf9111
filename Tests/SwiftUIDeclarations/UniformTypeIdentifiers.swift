// Declarations of the types of files, from Apple's public documentation.
//
// https://developer.apple.com/documentation/uniformtypeidentifiers

public struct UTType: Hashable, Sendable {
    public static var item: UTType { UTType() }
    public static var image: UTType { UTType() }
}
