public import InboxClient
public import InboxModel

/// Adobe's entry point.
///
/// Set the inbox once, at launch. Without an inbox there are no propositions, and an `InboxUI` has the error
/// `inboxCreationFailed`.
public enum Messaging {
    /// Sets the app's inbox, which everything created from now on uses. Call this again when another person signs in,
    /// and with nil after a sign-out.
    @MainActor
    public static func setInbox(_ inbox: Inbox?) {
        InboxUI.defaultInbox = inbox
    }

    /// Returns the state of a screen with a surface's cards, which begins to load at once.
    ///
    /// - Parameters:
    ///   - surface: The surface.
    ///   - customizer: Customizes the appearance of cards.
    ///   - listener: Receives events. Held strongly.
    @MainActor
    public static func getInboxUI(
        for surface: Surface,
        customizer: (any ContentCardCustomizing)? = nil,
        listener: (any InboxEventListening)? = nil
    ) -> InboxUI {
        InboxUI(surface: surface, customizer: customizer, listener: listener)
    }

    /// Syncs all surfaces with the server.
    ///
    /// - Parameters:
    ///   - surfaces: The surfaces that the app is about to show. The others are synced too.
    ///   - completion: Called once, on the main actor, with whether the server has responded.
    public static func updatePropositionsForSurfaces(
        _ surfaces: [Surface],
        _ completion: (@MainActor (Bool) -> Void)? = nil
    ) {
        Task { @MainActor in
            let isUpdated = await updatePropositions(for: surfaces)
            completion?(isUpdated)
        }
    }

    /// Syncs all surfaces with the server, like ``updatePropositionsForSurfaces(_:_:)``.
    ///
    /// - Returns: Whether the server has responded.
    @MainActor
    public static func updatePropositions(for surfaces: [Surface]) async -> Bool {
        guard let inbox = InboxUI.defaultInbox else { return false }
        return (try? await inbox.sync()) != nil
    }

    /// Reads the propositions of surfaces from the device, without a request to the server.
    ///
    /// - Parameters:
    ///   - surfaces: The surfaces.
    ///   - completion: Called once, on the main actor, with the propositions of each surface that has any, or with the
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

    /// Returns the propositions of surfaces on the device: one for the settings, if the backend has set any, then one
    /// for each card, newest delivery first. A surface without propositions is omitted.
    ///
    /// - Throws: ``InboxError``: `inboxCreationFailed` if no inbox is set, `invalidInboxSchemaData` if settings can't
    ///   be read. The client's `InboxError` if the store can't be read.
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
            let first = settings.map { [Proposition($0, of: surface, in: inbox)] } ?? []
            let all = first + messages.map { Proposition($0, in: inbox) }
            if !all.isEmpty { found[surface] = all }
        }
        return found
    }
}
