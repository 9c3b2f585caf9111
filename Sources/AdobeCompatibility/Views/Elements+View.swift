#if canImport(SwiftUI)
    public import InboxCards
    import InboxViews
    public import SwiftUI

    extension TextElement {
        /// The text as a SwiftUI view. A font that is set on the view or around it, as with
        /// `heading.view.font(.title2)`, replaces the text's own.
        @MainActor public var view: some View { TextView(text: self, adoptsFont: true) }
    }

    extension ImageElement {
        /// The image as a SwiftUI view.
        @MainActor public var view: some View { ImageView(image: self) }
    }
#endif
