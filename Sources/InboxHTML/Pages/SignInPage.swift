package import InboxCards

/// The page with the form for a person's token.
package struct SignInPage: Sendable {
    /// The page to which a sign-in redirects.
    package var destination: String
    /// The error of the previous attempt, or nil for the first.
    package var error: CardText?

    package init(destination: String, error: CardText? = nil) {
        (self.destination, self.error) = (destination, error)
    }

    /// Returns the page as HTML, without inline scripts and styles.
    package func html(_ frame: PageFrame) -> [UInt8] {
        let texts = frame.texts
        var writer = HTMLWriter(capacity: 2_048)
        writer.markup("<main class=\"ib-main ib-center\"><div class=\"ib-state\">")
        writer.emptyInboxIcon()
        writer.markup("<h1>")
        writer.text(texts[.signIn])
        writer.markup("</h1><form class=\"ib-form\" method=\"post\"")
        writer.attribute("action", frame.addresses.signIn)
        writer.markup("><input type=\"hidden\" name=\"to\"")
        writer.attribute("value", destination)
        writer.markup("><label for=\"token\">")
        writer.text(texts[.token])
        writer.markup("</label><input id=\"token\" name=\"token\" type=\"password\" autocomplete=\"off\"")
        writer.markup(" autocapitalize=\"off\" spellcheck=\"false\" required dir=\"ltr\"")
        if error != nil { writer.markup(" aria-invalid=\"true\" aria-describedby=\"error\" autofocus") }
        writer.markup(">")
        if let error {
            writer.markup("<p id=\"error\" class=\"ib-error\" role=\"alert\">")
            writer.text(texts[error])
            writer.markup("</p>")
        }
        writer.markup("<button class=\"ib-action ib-main-action\">")
        writer.text(texts[.signIn])
        writer.markup("</button></form></div></main>")
        return frame.page(title: texts[.signIn], isLive: false, writer)
    }
}
