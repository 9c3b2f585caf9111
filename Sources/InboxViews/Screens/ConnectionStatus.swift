#if canImport(SwiftUI)
    package import InboxCards
    public import SwiftUI

    /// A line that is shown when the server of the environment's inbox can't be reached, or when the person has to sign
    /// in again. It takes no space otherwise.
    public struct ConnectionStatus: View {
        @Environment(\.inbox) private var inbox
        @Environment(\.inboxTexts) private var texts
        @State private var cache = ModelCache<ConnectionModel>()

        /// Creates the line.
        public init() {}

        /// The line.
        public var body: some View {
            if let notice = model?.notice {
                ConnectionNoticeView(notice, texts)
            }
        }

        private var model: ConnectionModel? {
            cache.follow(inbox) { ConnectionModel($0) }
            return cache.model
        }
    }

    /// The line with a notice about a connection.
    package struct ConnectionNoticeView: View {
        private let notice: ConnectionNotice
        private let texts: CardTexts

        package init(_ notice: ConnectionNotice, _ texts: CardTexts) { (self.notice, self.texts) = (notice, texts) }

        package var body: some View {
            Label(text, systemImage: notice.symbol)
                .font(.footnote)
                .foregroundStyle(.secondary)
                .frame(maxWidth: .infinity)
                .padding(.all, 8)
                .accessibilityElement(children: .combine)
        }

        private var text: String {
            switch notice {
            case .offline: texts[.offline]
            case .signInNeeded: texts[.signInAgain]
            }
        }
    }

    extension ConnectionNotice {
        fileprivate var symbol: String {
            switch self {
            case .offline: "wifi.slash"
            case .signInNeeded: "person.crop.circle.badge.exclamationmark"
            }
        }
    }
#endif
