public import Foundation
import InboxMail
import InboxViews
public import MailSignIn
public import Observation

/// Signing in to a mail server from an address: the state of a screen.
///
/// It finds the server, asks the person about a host outside of the address's domain, waits for the browser, and stores
/// the tokens. Every failure is one of `SignInError`, and leaves the address as it was typed.
///
/// ```swift
/// let model = SignInModel(browser: browser, storage: storage) { keeper in
///     mail = try await Mail.open(server: keeper.server, credentials: .signedIn(keeper))
/// }
/// model.address = "anna@example.com"
/// model.start()
/// // In SwiftUI: SignInScreen(model)
/// ```
@MainActor
@Observable
public final class SignInModel {
    /// The step.
    public private(set) var state = SignInState.address
    /// The address, as it is typed. It can't be changed while a sign-in is running.
    public var address: String {
        get { typed }
        set {
            guard !state.isRunning else { return }
            typed = newValue
            if case .failed = state { state = .address }
        }
    }
    /// The error of the app's closure after the sign-in; nil if there is none. ``finish()`` tries it again.
    public private(set) var openingError: (any Error)?

    private var typed: String
    @ObservationIgnored private let browser: any SignInBrowser
    @ObservationIgnored private let storage: any GrantStorage
    @ObservationIgnored private let server: URL?
    @ObservationIgnored private let configuration: SignInConfiguration
    @ObservationIgnored private let onSignIn: @MainActor (TokenKeeper) async throws -> Void
    /// The tokens, for the app's closure.
    @ObservationIgnored private var keeper: TokenKeeper?
    /// The question that the person hasn't answered.
    @ObservationIgnored private var question: CheckedContinuation<Bool, Never>?
    /// Counts the sign-ins. Reports of an earlier one are ignored.
    @ObservationIgnored private var generation = 0
    @ObservationIgnored private let running = OwnedTask()

    /// Creates a model of a sign-in that hasn't begun.
    ///
    /// - Parameters:
    ///   - address: The address, if it is known, such as after the access has ended.
    ///   - server: The mail server's URL, if it is known. It is then used without DNS.
    ///   - browser: The browser.
    ///   - storage: The storage of the tokens.
    ///   - configuration: The settings.
    ///   - onSignIn: Opens the mail. Called after the tokens are stored.
    public init(
        address: String = "",
        server: URL? = nil,
        browser: any SignInBrowser,
        storage: any GrantStorage,
        configuration: SignInConfiguration = SignInConfiguration(),
        onSignIn: @escaping @MainActor (TokenKeeper) async throws -> Void
    ) {
        (typed, self.server, self.browser, self.storage) = (address, server, browser, storage)
        (self.configuration, self.onSignIn) = (configuration, onSignIn)
    }

    /// Whether the address has a form with which a sign-in can begin.
    public var canStart: Bool { !state.isRunning && EmailAddress(email: trimmed).problem == nil }

    private var trimmed: String { typed.trimmingCharacters(in: .whitespacesAndNewlines) }

    /// Begins to sign in, or begins again after a failure.
    public func start() {
        guard !state.isRunning else { return }
        generation += 1
        let generation = generation
        openingError = nil
        let signIn: SignIn
        do {
            signIn = try SignIn(
                address: trimmed,
                server: server,
                browser: ReportingBrowser(browser) { [weak self] step in await self?.show(step, of: generation) },
                configuration: configuration
            ) { [weak self] host in
                await self?.ask(host, of: generation) ?? false
            }
        } catch {
            return fail(error)
        }
        state = .findingServer
        running.start { [weak self, storage, configuration] in
            do {
                let grant = try await withTaskCancellationHandler {
                    try await signIn.run()
                } onCancel: {
                    Task { await signIn.cancel() }
                }
                guard let self, self.generation == generation else { return }
                state = .finishing
                let keeper = try await TokenKeeper(grant, storage: storage, configuration: configuration)
                guard self.generation == generation else {
                    // Cancelled while the tokens were stored. They are revoked, or at least gone from here.
                    _ = try await keeper.signOut()
                    return
                }
                await didSignIn(keeper)
            } catch {
                guard let self, self.generation == generation else { return }
                fail(error)
            }
        }
    }

    /// Answers the question whether the mail is on a host (``SignInState/asking(host:)``). After no, the sign-in ends.
    public func confirm(_ isRight: Bool) {
        guard case .asking = state, let question else { return }
        state = isRight ? .findingServer : .address
        if !isRight { endRun() }
        self.question = nil
        question.resume(returning: isRight)
    }

    /// Cancels the sign-in. The address stays.
    public func cancel() {
        guard state.isRunning else { return }
        endRun()
        question?.resume(returning: false)
        question = nil
        state = .address
    }

    /// Calls the app's closure again after it has failed.
    public func finish() async {
        guard let keeper, openingError != nil else { return }
        await didSignIn(keeper)
    }

    // MARK: - Steps

    /// Ends a run, so that its further reports are ignored.
    private func endRun() {
        generation += 1
        running.cancel()
    }

    private func show(_ step: ReportingBrowser.Step, of generation: Int) {
        guard self.generation == generation else { return }
        switch step {
        case .opens: state = .inBrowser
        case .returned: state = .finishing
        }
    }

    private func ask(_ host: String, of generation: Int) async -> Bool {
        guard self.generation == generation else { return false }
        return await withCheckedContinuation { continuation in
            question?.resume(returning: false)
            question = continuation
            state = .asking(host: host)
        }
    }

    private func didSignIn(_ keeper: TokenKeeper) async {
        self.keeper = keeper
        state = .finishing
        do {
            try await onSignIn(keeper)
            openingError = nil
        } catch {
            openingError = error
        }
        state = .signedIn(address: keeper.address)
    }

    private func fail(_ error: any Error) {
        let error = error as? SignInError ?? SignInError(.cancelled, "The sign-in was cancelled.")
        // A cancellation was the person's own, and needs no words.
        state = error.code == .cancelled ? .address : .failed(error)
    }
}

/// A browser that reports when its page opens, and when it has returned.
struct ReportingBrowser: SignInBrowser {
    enum Step: Sendable { case opens, returned }

    private let browser: any SignInBrowser
    private let report: @Sendable (Step) async -> Void

    init(_ browser: any SignInBrowser, report: @escaping @Sendable (Step) async -> Void) {
        (self.browser, self.report) = (browser, report)
    }

    func prepare() async throws -> URL { try await browser.prepare() }

    func open(_ page: URL) async throws -> URL {
        await report(.opens)
        let url = try await browser.open(page)
        await report(.returned)
        return url
    }

    func close() async { await browser.close() }
}

/// The step of a ``SignInModel``.
public enum SignInState: Hashable, Sendable {
    /// The person enters their address.
    case address
    /// The search for the mail server of the address.
    case findingServer
    /// The person is asked whether their mail is on a host outside their address's domain. Nothing was sent there.
    case asking(host: String)
    /// The person signs in in the browser.
    case inBrowser
    /// The browser has returned, and the tokens are requested and stored.
    case finishing
    /// The person is signed in with an address.
    case signedIn(address: String)
    /// The sign-in has failed. ``SignInModel/start()`` tries it again.
    case failed(SignInError)

    /// Whether something is in progress that the person can cancel.
    public var isRunning: Bool {
        switch self {
        case .findingServer, .asking, .inBrowser, .finishing: true
        case .address, .signedIn, .failed: false
        }
    }
}
