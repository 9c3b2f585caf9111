public import InboxClient
public import InboxModel
public import InboxViews

/// Adobe's entry point.
///
/// Give it the inbox once, at start; until then there are no propositions, and an `InboxUI` has the error
/// `inboxCreationFailed`.
public enum Messaging {
    /// Sets the app's inbox, which everything created from now on uses. Call it again when another person signs in, and
    /// with nil after a sign-out.
    @MainActor
    public static func setInbox(_ inbox: Inbox?) {
        InboxUI.defaultInbox = inbox
    }

    /// The state of a screen with a surface's cards, which begins to load at once.
    ///
    /// - Parameters:
    ///   - surface: The surface.
    ///   - customizer: Changes how cards look.
    ///   - listener: Hears of what happens; held weakly.
    @MainActor
    public static func getInboxUI(
        for surface: Surface,
        customizer: (any ContentCardCustomizing)? = nil,
        listener: (any InboxEventListening)? = nil
    ) -> InboxUI {
        InboxUI(surface: surface, customizer: customizer, listener: listener)
    }

    /// Asks the server for what is new, of all surfaces.
    ///
    /// - Parameters:
    ///   - surfaces: Those that the app is about to show; the others are brought up to date too.
    ///   - completion: Called once, on the main actor, with whether the server has answered.
    public static func updatePropositionsForSurfaces(
        _ surfaces: [Surface],
        _ completion: (@MainActor (Bool) -> Void)? = nil
    ) {
        Task { @MainActor in
            let isUpdated = await updatePropositions(for: surfaces)
            completion?(isUpdated)
        }
    }

    /// ``updatePropositionsForSurfaces(_:_:)``, waited for.
    ///
    /// - Returns: Whether the server has answered.
    @MainActor
    public static func updatePropositions(for surfaces: [Surface]) async -> Bool {
        guard let inbox = InboxUI.defaultInbox else { return false }
        return (try? await inbox.sync()) != nil
    }

    /// What is stored on the device for surfaces; asks no server.
    ///
    /// - Parameters:
    ///   - surfaces: Which ones.
    ///   - completion: Called once, on the main actor: with the propositions of each surface that has any, or with the
    ///     error.
    public static func getPropositionsForSurfaces(
        _ surfaces: [Surface],
        _ completion: @escaping @MainActor ([Surface: [Proposition]]?, (any Error)?) -> Void
    ) {
        Task { @MainActor in
            do {
                completion(try await getPropositionsForSurfaces(surfaces), nil)
            } catch {
                completion(nil, error)
            }
        }
    }

    /// What is stored on the device for surfaces: a proposition for the settings where the backend has set any, then
    /// one for each card, newest delivery first. A surface that has none is left out.
    ///
    /// - Throws: ``InboxError`` `inboxCreationFailed` where no inbox is set, `invalidInboxSchemaData` where settings
    ///   can't be read; the client's `InboxError` where the store can't be read.
    @MainActor
    public static func getPropositionsForSurfaces(_ surfaces: [Surface]) async throws -> [Surface: [Proposition]] {
        guard let inbox = InboxUI.defaultInbox else { throw InboxUIError.inboxCreationFailed }
        var found: [Surface: [Proposition]] = [:]
        for surface in Set(surfaces) {
            let settings: InboxSettings?
            do {
                settings = try await inbox.settings(surface: surface.name)
            } catch let error as InboxClient.InboxError where error.code == .invalidAnswer {
                throw InboxUIError.invalidInboxSchemaData
            }
            let messages = try await inbox.messages(.inbox, surface: surface.name)
            let all = (settings.map { [Proposition($0, of: surface)] } ?? []) + messages.map(Proposition.init)
            if !all.isEmpty { found[surface] = all }
        }
        return found
    }
}
