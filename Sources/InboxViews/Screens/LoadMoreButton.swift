#if canImport(SwiftUI)
    package import InboxCards
    package import SwiftUI

    /// The last row of a list that has further pages. It loads the next one when it appears, and when it is tapped.
    package struct LoadMoreButton: View {
        private let texts: CardTexts
        private let isLoading: Bool
        private let load: @MainActor () -> Void

        package init(_ texts: CardTexts, isLoading: Bool, load: @escaping @MainActor () -> Void) {
            (self.texts, self.isLoading, self.load) = (texts, isLoading, load)
        }

        package var body: some View {
            Button(texts[.loadMore]) { load() }
                .frame(maxWidth: .infinity)
                .disabled(isLoading)
                .overlay { if isLoading { ProgressView() } }
                .onAppear { load() }
                .listRowSeparator(.hidden)
        }
    }
#endif
