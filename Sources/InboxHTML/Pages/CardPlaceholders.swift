import InboxCards

/// Placeholders of cards that are loading, enough to fill a screen. They are hidden from assistive technologies, for
/// which a text next to them states that the inbox is loading.
enum CardPlaceholders {
    private static let count = 3

    /// Writes the placeholders as list items.
    static func draw(_ writer: inout HTMLWriter) {
        for _ in 0..<count {
            writer.markup(
                #"<li class="ib-blank" aria-hidden="true"><div class="ib-card"><i></i><b></b><b></b><b></b></div></li>"#
            )
        }
    }

    /// The styles of the placeholders: a card with an image and three lines. They pulse unless the reader prefers
    /// reduced motion.
    static let css = """
        .ib-blanks{gap:1rem}
        .ib-blank .ib-card{display:grid;grid-template-columns:4rem 1fr;column-gap:.75rem;align-content:start;\
        padding:.75rem;\
        border-radius:.75rem;\(CSS.color("background-color", .card))}
        .ib-blank :is(i,b){border-radius:.375rem;\(CSS.color("background-color", .placeholder))}
        .ib-blank i{grid-row:1/4;aspect-ratio:1;align-self:start}
        .ib-blank b{height:.875rem;margin-block:.25rem}
        .ib-blank b:nth-of-type(1){width:45%}
        .ib-blank b:nth-of-type(3){width:80%}
        .ib-row .ib-blank .ib-card{grid-template-columns:1fr}
        .ib-row .ib-blank i{grid-row:auto;aspect-ratio:16/9;margin-block-end:.5rem}
        .ib-unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
        @media (prefers-reduced-motion:no-preference){@keyframes ib-breathe{50%{opacity:.45}}\
        .ib-blank :is(i,b){animation:ib-breathe 1.6s ease-in-out infinite}}
        @media print{.ib-blank{display:none}}
        """
}
