// Declarations of the part of Combine's API that this package uses, from Apple's public documentation.
//
// https://developer.apple.com/documentation/combine

public protocol Subscription: Cancellable {}

public protocol Cancellable {
    func cancel()
}

public final class AnyCancellable: Cancellable, Hashable {
    private var onCancel: (() -> Void)?
    public init(_ cancel: @escaping () -> Void) { onCancel = cancel }
    deinit { cancel() }
    public func cancel() {
        onCancel?()
        onCancel = nil
    }
    public func store(in set: inout Set<AnyCancellable>) { set.insert(self) }
    public static func == (lhs: AnyCancellable, rhs: AnyCancellable) -> Bool { lhs === rhs }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

public protocol Subscriber<Input, Failure> {
    associatedtype Input
    associatedtype Failure: Error
}

public protocol Publisher<Output, Failure> {
    associatedtype Output
    associatedtype Failure: Error
    func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Output == S.Input
}

/// How the publishers below run; not part of Apple's API.
@_spi(Running)
public protocol Following {
    /// Calls a closure with each output, until the returned one is called.
    func follow(_ receive: @escaping (Any) -> Void) -> () -> Void
}

final class Followers {
    private var closures: [Int: (Any) -> Void] = [:]
    private var next = 0

    func add(_ receive: @escaping (Any) -> Void) -> () -> Void {
        next += 1
        closures[next] = receive
        return { [weak self, next] in self?.closures[next] = nil }
    }

    func send(_ output: Any) { for closure in closures.sorted(by: { $0.key < $1.key }) { closure.value(output) } }
}

extension Publisher {
    public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { AnyPublisher(self) }
}

extension Publisher where Failure == Never {
    public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
        AnyCancellable((self as? any Following)?.follow { ($0 as? Output).map(receiveValue) } ?? {})
    }
}

@_spi(Running) extension AnyPublisher: Following {
    public func follow(_ receive: @escaping (Any) -> Void) -> () -> Void { base?.follow(receive) ?? {} }
}

public struct AnyPublisher<Output, Failure: Error>: Publisher {
    private let base: (any Following)?
    public init<P: Publisher>(_ publisher: P) where Output == P.Output, Failure == P.Failure {
        base = publisher as? any Following
    }
    public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {}
}

public protocol Subject<Output, Failure>: AnyObject, Publisher {
    func send(_ value: Output)
}

public final class CurrentValueSubject<Output, Failure: Error>: Subject {
    private let followers = Followers()
    public var value: Output
    public init(_ value: Output) { self.value = value }
    public func send(_ input: Output) {
        value = input
        followers.send(input)
    }
    public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {}
}

@_spi(Running) extension CurrentValueSubject: Following {
    public func follow(_ receive: @escaping (Any) -> Void) -> () -> Void {
        receive(value)
        return followers.add(receive)
    }
}

public final class ObservableObjectPublisher: Publisher, @unchecked Sendable {
    public typealias Output = Void
    public typealias Failure = Never
    private let followers = Followers()
    public init() {}
    public func send() { followers.send(()) }
    public func receive<S: Subscriber>(subscriber: S) where S.Failure == Never, S.Input == () {}
}

@_spi(Running) extension ObservableObjectPublisher: Following {
    public func follow(_ receive: @escaping (Any) -> Void) -> () -> Void { followers.add(receive) }
}

public protocol ObservableObject: AnyObject {
    associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher
    where ObjectWillChangePublisher.Failure == Never
    var objectWillChange: ObjectWillChangePublisher { get }
}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
    public var objectWillChange: ObservableObjectPublisher { ObservableObjectPublisher() }
}
