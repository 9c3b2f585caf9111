#if canImport(SwiftUI) && canImport(WebKit) && (canImport(UIKit) || canImport(AppKit))
    import HTMLCleaning
    public import SwiftUI

    /// A page in SwiftUI, as high as its document.
    public struct HTMLPageView: View {
        private let page: HTMLPage
        private let onLink: (String) -> Void
        private let onFailure: (any Error) -> Void
        @State private var height: Double = 0

        /// Creates the view of a page.
        ///
        /// - Parameters:
        ///   - page: The page.
        ///   - onLink: Receives the address of a link that the person has activated.
        ///   - onFailure: Receives the reason why WebKit can't show the document.
        public init(
            _ page: HTMLPage,
            onLink: @escaping (String) -> Void,
            onFailure: @escaping (any Error) -> Void = { _ in }
        ) {
            self.page = page
            self.onLink = onLink
            self.onFailure = onFailure
        }

        /// The web view.
        public var body: some View {
            WebViewRepresentation(page: page, onLink: onLink, onFailure: onFailure) { height = $0 }
                // A view without height isn't laid out, and couldn't be measured.
                .frame(maxWidth: .infinity)
                .frame(height: CGFloat(max(height, 1)))
                // A background of the document's own ends in round corners. The document has a margin within it.
                .clipShape(RoundedRectangle(cornerRadius: page.backgroundRadius))
        }
    }

    extension HTMLPage {
        /// The radius of the background's corners, in points: a document without a background of its own has none.
        package var backgroundRadius: CGFloat {
            switch document.background {
            case .scheme: 0
            case .color: 12
            }
        }
    }

    /// The platform's view for SwiftUI.
    private struct WebViewRepresentation {
        let page: HTMLPage
        let onLink: (String) -> Void
        let onFailure: (any Error) -> Void
        let onHeight: (Double) -> Void

        @MainActor
        func makeView() -> HTMLWebView {
            let view = HTMLWebView(frame: .zero)
            update(view)
            return view
        }

        @MainActor
        func update(_ view: HTMLWebView) {
            view.onLink = onLink
            view.onHeight = onHeight
            view.onFailure = onFailure
            view.show(page)
        }
    }

    #if canImport(UIKit)
        extension WebViewRepresentation: UIViewRepresentable {
            func makeUIView(context: Context) -> HTMLWebView { makeView() }
            func updateUIView(_ view: HTMLWebView, context: Context) { update(view) }
        }
    #else
        extension WebViewRepresentation: NSViewRepresentable {
            func makeNSView(context: Context) -> HTMLWebView { makeView() }
            func updateNSView(_ view: HTMLWebView, context: Context) { update(view) }
        }
    #endif

    extension View {
        /// Reports the viewport of this view, once its width is known and after each change of its width, of the color
        /// scheme or of the text size.
        public func onViewportChange(_ action: @escaping (HTMLViewport) -> Void) -> some View {
            ViewportReader(content: self, action: action)
        }
    }

    /// A view whose viewport is reported.
    private struct ViewportReader<Content: View>: View {
        let content: Content
        let action: (HTMLViewport) -> Void
        @Environment(\.colorScheme) private var colorScheme
        @State private var width: CGFloat = 0
        /// The size of the text style *body*, which scales with the text size.
        @ScaledMetric private var bodySize: CGFloat

        init(content: Content, action: @escaping (HTMLViewport) -> Void) {
            (self.content, self.action) = (content, action)
            _bodySize = ScaledMetric(wrappedValue: HTMLViewport.bodySize, relativeTo: .body)
        }

        var body: some View {
            content
                .frame(maxWidth: .infinity)
                .onGeometryChange(for: CGFloat.self) { geometry in
                    geometry.size.width
                } action: {
                    width = $0
                }
                .onChange(of: viewport, initial: true) { _, viewport in
                    if let viewport { action(viewport) }
                }
        }

        private var viewport: HTMLViewport? {
            guard width > 0 else { return nil }
            return HTMLViewport(
                width: width,
                isDark: colorScheme == .dark,
                textScale: bodySize / HTMLViewport.bodySize
            )
        }
    }
#endif
