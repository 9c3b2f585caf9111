public import InboxMail
public import Observation
import InboxViews

/// A field for recipients: the entered ones as chips, and the text that is being typed, with completions.
///
/// With a separator, a paste, the return key, and when the field is left, valid addresses become chips, each address
/// once. Invalid input stays as text, with the reason (``problem``), and is part of ``recipients``, so that a draft
/// keeps it.
///
/// ```swift
/// let field = RecipientFieldModel(mail)
/// field.text = "\"Doe, Jane\" <jane@example.com>, bob@"
/// field.commit()
/// field.chips.map(\.label)   // ["Doe, Jane"]
/// field.text                 // "bob@", and `problem` says that the domain is missing
/// ```
@MainActor
@Observable
public final class RecipientFieldModel {
    /// A recipient that was entered.
    public struct Chip: Hashable, Identifiable, Sendable {
        /// The id within the field.
        public let id: Int
        /// The name and address. The address is valid.
        public let address: EmailAddress
        /// Whether the server has refused to send to it.
        public internal(set) var isRefused = false

        /// The text to show: the name, or the address if there is no name.
        public var label: String {
            address.name.flatMap { $0.isEmpty ? nil : $0 } ?? address.displayEmail
        }
    }

    /// Returns the people and groups for a typed text, the best first.
    ///
    /// - Parameters:
    ///   - text: The typed text, without spaces around it.
    ///   - limit: The maximum number of people and groups.
    public typealias Completing = @Sendable (_ text: String, _ limit: Int) async throws -> [RecipientCompletion]

    /// The number of people and groups that are offered.
    public static let completionLimit = 20

    /// The recipients that were entered, in order.
    public private(set) var chips: [Chip] = []
    /// The groups and then the people for the typed text, the most used and latest first, without those whose
    /// recipients are all among the ``chips``.
    public private(set) var completions: [RecipientCompletion] = []
    /// The place in ``completions`` that the arrow keys have reached; nil for none.
    public private(set) var highlighted: Int?
    /// The id of the chip that the arrow keys have reached; nil for none.
    public private(set) var selected: Int?
    /// The problem for which the typed text isn't an address. Nil while the person types, and if there is none.
    public private(set) var problem: AddressProblem?
    /// The text that is being typed. Setting it is typing, or a paste.
    public var text: String {
        get { typed }
        set { type(newValue) }
    }

    /// ``text`` for a field with a keyboard on screen: while there are chips, it begins with a character that can't be
    /// seen. Without it, such as after the delete key was pressed where nothing is typed, the last chip is removed
    /// (``deleteBackward()``).
    public var markedText: String {
        get { chips.isEmpty ? typed : Self.mark + typed }
        set {
            let new = newValue.filter { !Self.mark.contains($0) }
            if !chips.isEmpty, new == typed, !newValue.contains(Self.mark) { deleteBackward() } else { text = new }
        }
    }

    /// The zero width space.
    private static let mark = "\u{200B}"

    /// Whether the other recipients don't see those of this field.
    @ObservationIgnored var isForBlindCopies = false

    /// Called after a change of ``recipients``.
    @ObservationIgnored var changed: (() -> Void)?

    private var typed = ""
    private var readTyped: TypedAddresses { EmailAddress.read(typed, isForBlindCopies: isForBlindCopies) }
    @ObservationIgnored private var nextID = 0
    /// The text that ``completions`` are for.
    @ObservationIgnored private var completed = ""
    /// Whether the return key was pressed before the contacts of the text were known.
    @ObservationIgnored private var entersWhenCompleted = false
    @ObservationIgnored private let complete: Completing
    @ObservationIgnored private let completing = OwnedTask()

    /// Creates a field that offers an account's contacts, and the groups of its address books.
    public convenience init(_ mail: Mail) {
        self.init { text, limit in
            try await mail.completions(matching: text, limit: limit).map { RecipientCompletion($0) }
        }
    }

    /// Creates a field that offers contacts of another source.
    public init(completing: @escaping Completing) { complete = completing }

    /// All that was entered: the chips, then the addresses of the text. What of the text can't be read is the address
    /// of a recipient that no mail can be sent to (`EmailAddress.problem`).
    public var recipients: [EmailAddress] {
        guard !typed.isBlank else { return chips.map(\.address) }
        let read = readTyped
        let known = chips.map(\.address)
        let new = read.addresses.filter { address in !known.contains { $0.isSame(as: address) } }
        return known + new + read.unreadable.map { EmailAddress(email: $0.text) }
    }

    /// Whether nothing was entered.
    public var isEmpty: Bool { chips.isEmpty && typed.isBlank }

    /// Shows the recipients of a draft. Those that no mail can be sent to become text.
    func show(_ recipients: [EmailAddress]) {
        guard recipients != self.recipients else { return }
        chips = []
        enter(recipients)
        (highlighted, selected) = (nil, nil)
        endCompletion()
    }

    /// Marks the chips whose addresses the server refuses.
    func markRefused(_ addresses: [String]) {
        let refused = addresses.map { EmailAddress(email: $0) }
        for index in chips.indices {
            let address = chips[index].address
            // A server names it as it was sent, which may be in quotation marks.
            let sent = EmailAddress(email: address.wireEmail)
            chips[index].isRefused = refused.contains { $0.isSame(as: address) || $0.isSame(as: sent) }
        }
    }

    // MARK: - Typing

    private func type(_ new: String) {
        guard new != typed else { return }
        let isPasted = new.count > typed.count + 1
        let endsEntry = new.count > typed.count && new.last.map { Self.ends($0, new) } ?? false
        (typed, problem, highlighted, selected, entersWhenCompleted) = (new, nil, nil, nil, false)
        if isPasted { takePasted() } else if endsEntry { takeEntered() }
        beginCompletion()
        changed?()
    }

    /// Whether a character ends the typed recipient: a separator, or a space after an address without a name.
    private static func ends(_ character: Character, _ text: String) -> Bool {
        if ",;，；、،؛".contains(character) || character.isNewline { return true }
        guard character == " " else { return false }
        let words = text.split(separator: " ")
        return words.count == 1 && EmailAddress(email: String(words[0])).problem == nil && words[0].contains(".")
    }

    /// Makes chips of a typed entry, unless it may be the beginning of a name, such as `Doe, Jane <…`.
    private func takeEntered() {
        let read = readTyped
        guard read.unreadable.isEmpty else { return }
        add(read.addresses)
        typed = ""
    }

    /// Makes chips of the addresses in a pasted text. Invalid input stays as text.
    private func takePasted() {
        let read = readTyped
        guard !read.addresses.isEmpty else { return }
        take(read)
    }

    private func take(_ read: TypedAddresses) {
        add(read.addresses)
        typed = read.unreadable.map(\.text).joined(separator: ", ")
        problem = read.unreadable.first?.problem
    }

    /// Adds the addresses. Those that no mail can be sent to are the text.
    private func enter(_ addresses: [EmailAddress]) {
        add(addresses.filter { $0.problem == nil })
        let others = addresses.filter { $0.problem != nil }
        (typed, problem) = (others.map(\.typedText).joined(separator: ", "), others.first?.problem)
    }

    private func add(_ addresses: [EmailAddress]) {
        for address in addresses where !chips.contains(where: { $0.address.isSame(as: address) }) {
            chips.append(Chip(id: nextID, address: address))
            nextID += 1
        }
    }

    /// Ends the typing, as when the field is left: valid addresses become chips.
    ///
    /// - Returns: Whether all of it could be read. If not, ``problem`` has the reason.
    @discardableResult
    public func commit() -> Bool {
        endCompletion()
        guard !typed.isEmpty else { return true }
        take(readTyped)
        changed?()
        return typed.isEmpty
    }

    // MARK: - Keys

    /// The return key: chooses the highlighted person or group. Without one, it enters the typed address, or else the
    /// first person or group for the text.
    public func enter() {
        if let highlighted, completions.indices.contains(highlighted) { return choose(completions[highlighted]) }
        let read = readTyped
        if typed.isBlank || !read.addresses.isEmpty || completed == typed {
            if read.addresses.isEmpty, completed == typed, let first = completions.first { return choose(first) }
            commit()
        } else {
            entersWhenCompleted = true
        }
    }

    /// The delete key at the beginning of the text: removes the selected chip, or the last one.
    ///
    /// - Returns: False if there is text, or no chip: the key is the text's.
    @discardableResult
    public func deleteBackward() -> Bool {
        guard typed.isEmpty, let chip = chips.first(where: { $0.id == selected }) ?? chips.last else { return false }
        remove(chip)
        return true
    }

    /// The arrow keys up and down: moves the highlight within the ``completions``.
    ///
    /// - Returns: False if there are none.
    @discardableResult
    public func moveHighlight(by distance: Int) -> Bool {
        guard !completions.isEmpty else { return false }
        let place = (highlighted ?? -1) + distance
        highlighted = place < 0 ? nil : min(place, completions.count - 1)
        return true
    }

    /// The arrow keys to the chips and back to the text, which has to be empty: -1 is towards the first chip.
    ///
    /// - Returns: False if there is text, or no chip in that direction.
    @discardableResult
    public func moveSelection(by distance: Int) -> Bool {
        guard typed.isEmpty, !chips.isEmpty else { return false }
        let place = (chips.firstIndex { $0.id == selected } ?? chips.count) + distance
        guard place <= chips.count else { return false }
        selected = place == chips.count ? nil : chips[max(0, place)].id
        return true
    }

    /// The escape key: the ``completions`` aren't offered any more for this text.
    ///
    /// - Returns: False if none are.
    @discardableResult
    public func dismissCompletions() -> Bool {
        guard !completions.isEmpty else { return false }
        endCompletion()
        return true
    }

    // MARK: - Choosing

    /// Enters a person, or all members of a group, in place of the typed text. Members that no mail can be sent to
    /// become text, with the reason.
    public func choose(_ completion: RecipientCompletion) {
        enter(completion.addresses)
        endCompletion()
        changed?()
    }

    /// Removes a recipient.
    public func remove(_ chip: Chip) {
        chips.removeAll { $0.id == chip.id }
        selected = nil
        changed?()
    }

    /// Makes a recipient text again, to be changed. Text that was typed before is entered first.
    public func edit(_ chip: Chip) {
        guard commit(), chips.contains(where: { $0.id == chip.id }) else { return }
        chips.removeAll { $0.id == chip.id }
        (typed, selected) = (chip.address.typedText, nil)
        changed?()
    }

    // MARK: - Completion

    private func beginCompletion() {
        let text = typed
        guard !text.isBlank else { return endCompletion() }
        completing.start { [weak self, complete] in
            // Without contacts, addresses can still be typed.
            let found = (try? await complete(text.trimmed, Self.completionLimit + 100)) ?? []
            guard !Task.isCancelled, let self, typed == text else { return }
            let known = chips.map(\.address)
            completions = Array(
                found.filter { completion in
                    !completion.addresses.allSatisfy { address in known.contains { $0.isSame(as: address) } }
                }.prefix(Self.completionLimit)
            )
            (completed, highlighted) = (text, nil)
            if entersWhenCompleted { enter() }
        }
    }

    private func endCompletion() {
        completing.cancel()
        (completed, highlighted, entersWhenCompleted) = ("", nil, false)
        if !completions.isEmpty { completions = [] }
    }
}

extension String {
    /// Whether the text has nothing to see.
    var isBlank: Bool { allSatisfy(\.isWhitespace) }

    /// The text without spaces around it.
    fileprivate var trimmed: String {
        let beginning = drop(while: \.isWhitespace)
        return String(beginning.reversed().drop(while: \.isWhitespace).reversed())
    }
}
