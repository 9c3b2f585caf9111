// Written by scripts/generate-html-names. Don't edit it by hand.

/// The name of an element as tree construction compares it.
///
/// The raw value of a known name is its id in ``KnownNames``. The cases after ``other`` are elements of foreign
/// content, which never equal an element of HTML.
enum Tag: UInt8 {
    case a, abbr, acronym, address, annotationXML, applet, area, article, aside, audio, b, base, basefont, bdi, bdo
    case bgsound, big, blink, blockquote, body, br, button, canvas, caption, center, cite, code, col, colgroup, data
    case datalist, dd, del, desc, details, dfn, dialog, dir, div, dl, dt, em, embed, fieldset, figcaption, figure
    case font, footer, foreignobject, form, frame, frameset, h1, h2, h3, h4, h5, h6, head, header, hgroup, hr, html
    case i, iframe, image, img, input, ins, kbd, keygen, label, legend, li, link, listing, main, malignmark, map
    case mark, marquee, math, menu, menuitem, meta, meter, mglyph, mi, mn, mo, ms, mtext, nav, nobr, noembed
    case noframes, noscript, object, ol, optgroup, option, output, p, param, picture, plaintext, pre, progress, q, rb
    case rp, rt, rtc, ruby, s, samp, script, search, section, select, selectedcontent, slot, small, source, spacer
    case span, strike, strong, style, sub, summary, sup, svg, table, tbody, td, template, textarea, tfoot, th, thead
    case time, title, tr, track, tt, u, ul, `var`, video, wbr, xmp
    /// An element of HTML whose name tree construction doesn't compare.
    case other
    case mathAnnotationHTML, mathAnnotationXML, mathMi, mathMn, mathMo, mathMs, mathMtext, svgDesc, svgForeignObject
    case svgScript, svgTitle, foreign
}
