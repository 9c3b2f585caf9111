#if canImport(SwiftUI)
    import InboxCards
    import InboxViews
    import MailSignIn
    public import SwiftUI

    /// Signing in to a mail server: the address, the steps, and a failure with its reason.
    public struct SignInScreen: View {
        private let model: SignInModel
        @Environment(\.inboxTexts) private var texts

        /// Creates a screen for a sign-in.
        ///
        /// - Parameter model: The sign-in.
        public init(_ model: SignInModel) { self.model = model }

        /// The screen.
        public var body: some View {
            ScrollView {
                VStack(alignment: .leading, spacing: 16) {
                    Text(texts[.signIn]).font(.largeTitle).accessibilityAddTraits(.isHeader)
                    address
                    step
                }
                .frame(maxWidth: 480, alignment: .leading)
                .padding()
                .frame(maxWidth: .infinity)
            }
            .onDisappear { model.cancel() }
        }

        private var address: some View {
            TextField(texts[.mailAddress], text: Binding(get: { model.address }, set: { model.address = $0 }))
                .typesAddresses()
                .onSubmit { model.start() }
                .padding(.all, 12)
                .background { RoundedRectangle(cornerRadius: 8).fill(.regularMaterial) }
                .disabled(!canType)
        }

        private var canType: Bool {
            if case .signedIn = model.state { false } else { !model.state.isRunning }
        }

        @ViewBuilder private var step: some View {
            switch model.state {
            case .address: start
            case .findingServer, .inBrowser, .finishing:
                HStack(spacing: 12) {
                    ProgressView().accessibilityHidden(true)
                    Text(texts.text(of: model.state) ?? "")
                }
                cancel
            case .asking:
                Text(texts.text(of: model.state) ?? "").font(.headline)
                Text(texts[.hostWarning]).foregroundStyle(.secondary)
                HStack {
                    Button(texts[.yes]) { model.confirm(true) }
                    Button(texts[.no]) { model.confirm(false) }
                }
                .buttonStyle(.bordered)
            case .failed(let error):
                HStack(alignment: .top, spacing: 12) {
                    Image(systemName: "exclamationmark.triangle")
                        .foregroundStyle(Color.red)
                        .accessibilityHidden(true)
                    Text(texts.text(of: error))
                }
                Button(texts[.tryAgain]) { model.start() }
                    .buttonStyle(.borderedProminent)
                    .disabled(!model.canStart)
            case .signedIn:
                if model.openingError == nil {
                    Text(texts.text(of: model.state) ?? "")
                } else {
                    Text(texts[.mailNotOpened])
                    Button(texts[.tryAgain]) { Task { await model.finish() } }.buttonStyle(.borderedProminent)
                }
            }
        }

        private var start: some View {
            Button(texts[.signInContinue]) { model.start() }
                .buttonStyle(.borderedProminent)
                .disabled(!model.canStart)
        }

        private var cancel: some View { Button(texts[.cancel]) { model.cancel() }.buttonStyle(.bordered) }
    }
#endif
