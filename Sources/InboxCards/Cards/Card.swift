/// A message as it is shown: its parts, how they look and how they lie. ``content`` is the tree that is drawn.
///
/// Which parts there are is the message's and the template's; all of them can be changed before the card is drawn
/// (``CardCustomizing``).
public struct Card: Identifiable, Hashable, Sendable {
    /// The message's id.
    public let id: String
    /// How the parts lie.
    public let template: CardTemplate
    /// Whether the person hasn't read the message.
    public var isUnread: Bool
    /// Where a tap on the card leads; nil for nowhere.
    public let link: String?

    /// What stands above a push: its category.
    public var caption: TextElement?
    /// The headline.
    public var title: TextElement?
    /// The text.
    public var body: TextElement?
    /// The picture.
    public var image: ImageElement?
    /// When the message came; Adobe's templates, where they are asked for by name, show none.
    public var time: TimeElement?
    /// The buttons, in the sender's order.
    public var buttons: [ButtonElement] = []
    /// What sends it away, in the top trailing corner.
    public var dismissButton: DismissElement?
    /// The mark of the message while it isn't read (``shownUnreadIcon``); nil where the surface marks nothing.
    public var unreadIcon: UnreadElement?

    /// How picture and texts lie.
    public var rootStack = StackStyle()
    /// How the texts lie.
    public var textStack = StackStyle(alignment: .leading)
    /// How the buttons lie.
    public var buttonStack = StackStyle()
    /// Behind all of it.
    public var backgroundColor = CardColor.card
    /// Takes the place of ``backgroundColor`` while the message isn't read; nil for no difference.
    public var unreadBackground: CardColor?
    /// Around the content.
    public var padding = CardInsets(12)
    /// How round the corners are, in points.
    public var cornerRadius = 12.0
    /// What it is called where it has no words: a message.
    private let nameWithoutWords: String
    /// When the message came, as it was said last; where ``time`` says something else, that was set from outside.
    private var madeTime: String?

    /// One that has no parts yet.
    init(id: String, template: CardTemplate, isUnread: Bool, link: String?, nameWithoutWords: String) {
        self.id = id
        self.template = template
        self.isUnread = isUnread
        self.link = link
        self.nameWithoutWords = nameWithoutWords
    }

    /// Says when the message came.
    mutating func setTime(_ time: TimeElement) {
        madeTime = time.text.content
        self.time = time
    }

    /// The colour behind the card as it is.
    public var background: CardColor {
        isUnread ? unreadBackground ?? backgroundColor : backgroundColor
    }

    /// The mark as it is drawn; nil where the message was read.
    public var shownUnreadIcon: UnreadElement? { isUnread ? unreadIcon : nil }

    /// All that a card says, for those who listen to it as one: whether it is unread, its texts and when it came. One
    /// without words is a message.
    public var label: String {
        var label = ""
        forEachPartOfLabel { part in
            if !label.isEmpty { label += Self.labelSeparator }
            label += part
        }
        return label
    }

    /// Gives what ``label`` says, part by part; none is empty.
    package func forEachPartOfLabel(_ body: (String) -> Void) {
        var hasWords = false
        func give(_ part: String?) {
            guard let part, !part.isEmpty else { return }
            hasWords = true
            body(part)
        }
        if isUnread, let mark = unreadIcon?.label, !mark.isEmpty { body(mark) }
        give(caption?.content)
        give(title?.content)
        give(self.body?.content)
        give(image?.alt)
        if !hasWords { give(nameWithoutWords) }
        give(time?.text.content)
    }

    /// What stands between the parts of ``label``.
    package static let labelSeparator = ", "

    /// Says anew how long ago the message came, unless a customizer has said it in its own words.
    mutating func updateTime(_ text: String) {
        guard let said = time?.text.content, said == madeTime else { return }
        time?.text.content = text
        madeTime = text
    }
}

/// Changes how cards look: once each, when the surface's own settings are in place. A card whose message is read or
/// unread later stays as it was changed; one whose message the sender edits, or whose surface is set anew, is made and
/// changed again.
@MainActor
public protocol CardCustomizing {
    /// Changes a card.
    func customize(_ card: inout Card)
}
