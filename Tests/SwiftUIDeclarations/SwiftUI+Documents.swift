// Declarations of what only samples of documents and doc comments use: they are compiled, and no test draws them. As in
// SwiftUI.swift, they follow Apple's public documentation.

extension NavigationStack {
    public nonisolated init<Data: MutableCollection & RandomAccessCollection & RangeReplaceableCollection>(
        path: Binding<Data>,
        @ViewBuilder root: () -> Root
    ) where Data.Element: Hashable { self.init(root: root) }
}

public struct TabView<Content: View>: View, Drawable {
    let drawing: Drawing
    public nonisolated init(@ViewBuilder content: () -> Content) { drawing = Drawing(.group, content()) }
    public var body: Never { fatalError() }
}

extension View {
    public nonisolated func navigationDestination<Data: Hashable, Content: View>(
        for data: Data.Type,
        @ViewBuilder destination: @escaping (Data) -> Content
    ) -> some View { self }
    public nonisolated func tabItem<Label: View>(@ViewBuilder _ label: () -> Label) -> some View { self }
}
