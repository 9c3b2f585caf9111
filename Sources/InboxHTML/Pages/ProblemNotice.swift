import InboxCards

/// The notice of a problem that the page's script meets: a failed action, or a list that can't be kept up to date.
///
/// The server writes it as a template, with the texts of the causes in the body's attributes.
enum ProblemNotice {
    /// Writes the template: a text, and a button that tries again.
    static func draw(_ texts: CardTexts, _ writer: inout HTMLWriter) {
        writer.markup("<template id=\"problem\"><div class=\"ib-notice ib-problem\"><span></span>")
        writer.markup("<button type=\"button\" class=\"ib-quiet\">")
        writer.text(texts[.tryAgain])
        writer.markup("</button></div></template>")
    }

    /// Writes the texts of the causes as attributes.
    static func drawCauses(_ texts: CardTexts, _ writer: inout HTMLWriter) {
        writer.attribute("data-failed", texts[.actionFailed])
        writer.attribute("data-unreachable", texts[.noNetwork])
        writer.attribute("data-offline", texts[.offline])
        writer.attribute("data-stale", texts[.errorMessage])
    }

    /// The styles of the notice. It stays in view, wherever the list is scrolled to.
    static let css = """
        #notice:has(.ib-problem){position:sticky;z-index:3;inset-block-start:.5rem}
        .ib-problem{box-shadow:0 0 0 1px \(CSS.lightDark(.danger)),0 4px 16px light-dark(#0000002b,#000000a6)}
        @media (forced-colors:active){.ib-problem{border:1px solid}}
        @media print{.ib-problem{display:none}}
        """
}
