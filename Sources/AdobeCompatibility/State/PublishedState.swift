#if canImport(Combine)
    public import Combine
#endif
import Observation

/// A property of an ``InboxUI`` that notifies Observation, `objectWillChange` and its own publisher of each change, as
/// Combine's `Published` does.
///
/// With Combine, the projected value, such as `$state`, publishes the current value to each new subscriber, and each
/// new one just before it is set.
@propertyWrapper
public struct PublishedState<Value> {
    private var value: Value
    #if canImport(Combine)
        private let subject: CurrentValueSubject<Value, Never>

        /// Publishes the value, and each new one just before it is set.
        public var projectedValue: AnyPublisher<Value, Never> { subject.eraseToAnyPublisher() }
    #endif

    /// Creates a property with a first value.
    ///
    /// - Parameter wrappedValue: The first value.
    public init(wrappedValue: Value) {
        value = wrappedValue
        #if canImport(Combine)
            subject = CurrentValueSubject(wrappedValue)
        #endif
    }

    /// The value is read and set through the object that has the property.
    @available(*, unavailable, message: "a property of an object")
    public var wrappedValue: Value {
        get { fatalError("a property of an object") }
        set { fatalError("a property of an object") }
    }

    /// The value as a property of an object.
    @MainActor
    public static subscript(
        _enclosingInstance object: InboxUI,
        wrapped property: ReferenceWritableKeyPath<InboxUI, Value>,
        storage storage: ReferenceWritableKeyPath<InboxUI, Self>
    ) -> Value {
        get {
            object.access(keyPath: property)
            return object[keyPath: storage].value
        }
        set {
            object.willChange()
            #if canImport(Combine)
                object[keyPath: storage].subject.send(newValue)
            #endif
            object.withMutation(keyPath: property) { object[keyPath: storage].value = newValue }
        }
    }
}
