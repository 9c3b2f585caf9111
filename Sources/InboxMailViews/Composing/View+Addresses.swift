#if canImport(SwiftUI)
    import SwiftUI

    #if canImport(UIKit)
        import UIKit
    #endif

    extension View {
        /// The keyboard for addresses, without corrections.
        func typesAddresses() -> some View {
            #if canImport(UIKit)
                autocorrectionDisabled()
                    .textInputAutocapitalization(.never)
                    .keyboardType(.emailAddress)
                    .textContentType(.emailAddress)
            #else
                autocorrectionDisabled()
            #endif
        }
    }
#endif
