#if canImport(SwiftUI)
    package import SwiftUI

    extension View {
        /// Calls `report` with the share of this view that the person can see, from 0 to 1, whenever it may have
        /// changed. While the app is in the background it is 0: a list that loads or changes meanwhile is laid out too.
        package func onVisibleShareChange(_ report: @escaping @MainActor (Double) -> Void) -> some View {
            VisibleShareReport(content: self, report: report)
        }
    }

    /// A view whose visible share is reported.
    private struct VisibleShareReport<Content: View>: View {
        let content: Content
        let report: @MainActor (Double) -> Void
        @Environment(\.scenePhase) private var scenePhase
        /// The visible share when it last changed. When the screen reappears, the geometry doesn't change, and the view
        /// is visible again.
        @State private var share = 0.0
        @State private var isShown = false

        var body: some View {
            content
                .onGeometryChange(for: Double.self) { geometry in
                    geometry.visibleShare
                } action: { visible in
                    share = visible
                    reportShare(during: scenePhase)
                }
                .onAppear {
                    isShown = true
                    reportShare(during: scenePhase)
                }
                .onDisappear {
                    isShown = false
                    reportShare(during: scenePhase)
                }
                // When the app returns, neither happens, and the view is visible again.
                .onChange(of: scenePhase) { _, phase in reportShare(during: phase) }
        }

        private func reportShare(during phase: ScenePhase) {
            report(phase != .background && isShown ? share : 0)
        }
    }

    extension GeometryProxy {
        /// The visible share of the view within the scroll views around it, from 0 to 1; 1 if there are none. For a
        /// view that is larger than they are, it is relative to the part that fits.
        package nonisolated var visibleShare: Double {
            let own = CGRect(x: 0, y: 0, width: size.width, height: size.height)
            guard own.width > 0, own.height > 0 else { return 0 }
            let windows = [bounds(of: .scrollView(axis: .vertical)), bounds(of: .scrollView(axis: .horizontal))]
                .compactMap { $0 }
            let seen = windows.reduce(own) { $0.intersection($1) }
            guard !seen.isNull else { return 0 }
            let most = windows.reduce(own.size) {
                CGSize(width: min($0.width, $1.width), height: min($0.height, $1.height))
            }
            return Double(seen.width * seen.height / (most.width * most.height))
        }
    }
#endif
