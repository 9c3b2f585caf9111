#if canImport(Combine)
    public import Combine

    // For views that hold an instance as `@StateObject` or `@ObservedObject`, and for Combine subscribers.

    extension InboxUI: ObservableObject {
        func willChange() { objectWillChange.send() }
    }

    extension ContentCardUI: ObservableObject {
        func willChange() { objectWillChange.send() }
    }
#else
    extension InboxUI {
        func willChange() {}
    }

    extension ContentCardUI {
        func willChange() {}
    }
#endif
