#if canImport(SwiftUI)
    import SwiftUI

    /// A scroll view that a pull refreshes while that is enabled. It is the same view before and after a change, so
    /// that it keeps its position.
    struct PullableView<Content: View>: View {
        let isEnabled: Bool
        let refresh: @Sendable () async -> Void
        @ViewBuilder let content: () -> Content
        @Environment(\.self) private var outside

        var body: some View {
            // A scroll view is pulled where its environment has an action for it. Without, it has that of the views
            // around this one.
            Inside(others: isEnabled ? nil : outside, content: content)
                .refreshable(action: refresh)
        }

        private struct Inside: View {
            let others: EnvironmentValues?
            let content: () -> Content
            @Environment(\.self) private var own

            var body: some View { content().environment(\.self, others ?? own) }
        }
    }
#endif
