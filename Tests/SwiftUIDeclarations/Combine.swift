// Declarations of the part of Combine's API that this package uses, from Apple's public documentation.
//
// https://developer.apple.com/documentation/combine

public struct ObservableObjectPublisher: Sendable {
    public func send() {}
}

public protocol ObservableObject: AnyObject {
    associatedtype ObjectWillChangePublisher = ObservableObjectPublisher
    var objectWillChange: ObjectWillChangePublisher { get }
}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
    public var objectWillChange: ObservableObjectPublisher { ObservableObjectPublisher() }
}
