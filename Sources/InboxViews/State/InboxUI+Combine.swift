#if canImport(Combine)
    public import Combine

    // For views that hold one as `@StateObject` or `@ObservedObject`, and for whoever subscribes to it.

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
