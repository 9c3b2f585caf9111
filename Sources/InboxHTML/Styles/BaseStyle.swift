import InboxCards

/// The styles that every page with cards includes before the styles of its content.
package enum BaseStyle {
    /// The style rules. They use logical directions, so that pages in Arabic are mirrored, and respect reduced motion.
    package static let css = """
        :root{color-scheme:light dark}
        *{box-sizing:border-box}
        body{margin:0;font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;line-height:1.4;\
        \(CSS.color("background-color", .page));\(CSS.color("color", .primary))}
        h1,h2,h3,p,picture,form{margin:0}
        a{\(CSS.color("color", .accent))}
        :focus-visible{outline:2px solid currentColor;outline-offset:2px}
        .ib-card{position:relative;overflow-wrap:anywhere;box-shadow:0 0 0 1px light-dark(#0000000f,#ffffff14),\
        0 1px 3px light-dark(#00000014,#00000066)}
        .ib-fill{flex:1 1 auto;width:100%}
        .ib-open{color:inherit;text-decoration:none}
        .ib-open::after{content:"";position:absolute;inset:0;border-radius:var(--ib-radius)}
        .ib-open:focus-visible{outline:none}
        .ib-open:focus-visible::after{outline:2px solid \(CSS.lightDark(.accent));outline-offset:2px}
        .ib-picture{display:block;max-width:100%;max-height:30rem;overflow:hidden}
        :where(.ib-small-image) .ib-picture{max-height:9rem}
        .ib-picture img{display:block;width:100%;height:auto;max-height:inherit;object-fit:contain;\
        position:relative;\(missingPicture)}
        .ib-picture img::after{\(brokenPicture)}
        .ib-small-image .ib-picture img{aspect-ratio:auto 4/3}
        .ib-cropped img{height:100%;object-fit:cover}
        .ib-large-image :is(.ib-picture,.ib-open),.ib-image-only :is(.ib-picture,.ib-open){width:100%}
        .ib-placeholder{display:grid;place-items:center;min-height:4.5rem;padding:.5rem;text-align:center;\
        font-size:.75rem;\
        \(CSS.color("background-color", .placeholder));\(CSS.color("color", .secondary))}
        .ib-button{position:relative;z-index:1;display:inline-block;text-decoration:none;min-height:1.5rem}
        a.ib-button:hover{text-decoration:underline}
        .ib-mark{position:absolute;z-index:1}
        .ib-mark .ib-picture img{background:none;width:100%;height:100%}
        .ib-top-leading{inset-block-start:-.25rem;inset-inline-start:-.25rem}
        .ib-top-trailing{inset-block-start:-.25rem;inset-inline-end:-.25rem}
        .ib-bottom-leading{inset-block-end:-.25rem;inset-inline-start:-.25rem}
        .ib-bottom-trailing{inset-block-end:-.25rem;inset-inline-end:-.25rem}
        .ib-dismiss{position:absolute;z-index:2;inset-block-start:0;inset-inline-end:0}
        .ib-dismiss button{display:grid;place-items:center;padding:0;border:0;background:none;cursor:pointer}
        .ib-cross{display:grid;place-items:center;width:1.5rem;height:1.5rem;border-radius:50%}
        .ib-dismiss button:hover .ib-cross{\(CSS.color("background-color", .dismissHover))}
        .ib-dismissible.ib-small-image,.ib-dismissible.ib-plain-text,.ib-dismissible.ib-push{padding-inline-end:2.75rem}
        .ib-large-image .ib-dismiss,.ib-image-only .ib-dismiss{inset-block-start:.375rem;inset-inline-end:.375rem}
        .ib-large-image .ib-cross,.ib-image-only .ib-cross{\(CSS.color("background-color", .dismissOnPicture))}
        @media (prefers-reduced-motion:no-preference){.ib-card{transition:background-color .2s}}
        @media (forced-colors:active){.ib-card .ib-mark:empty{background-color:CanvasText}}
        @media print{.ib-mark{-webkit-print-color-adjust:exact;print-color-adjust:exact}}
        """

    /// The place of a picture that isn't there, or not yet: a ratio of its own, which a loaded picture's replaces, and
    /// the alternative text in small, muted letters.
    static let missingPicture = """
        aspect-ratio:auto 16/9;overflow:hidden;unicode-bidi:plaintext;font-size:.6875rem;font-weight:400;\
        line-height:1.3;\
        \(CSS.color("background-color", .placeholder));\(CSS.color("color", .secondary))
        """

    /// The cover of a broken picture: its alternative text in the middle, in place of the browser's own icon. A picture
    /// that is there has no `::after`. The text isn't read twice.
    static let brokenPicture = """
        content:attr(alt);content:attr(alt) / "";position:absolute;inset:0;display:grid;place-items:center;\
        padding:.25rem;text-align:center;overflow:hidden;\(CSS.color("background-color", .placeholder))
        """
}
