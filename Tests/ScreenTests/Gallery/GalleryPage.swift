/// A page of the gallery: one screen, or all of them side by side.
struct GalleryPage {
    /// A cell of the table.
    struct Entry: Sendable {
        let vendor: String
        let state: GalleryState
        let look: GalleryLook
        let scene: GalleryScene

        /// The page's file, without an extension.
        var file: String {
            let name = "\(vendor.lowercased())-\(state.rawValue)-\(look.isDark ? "dark" : "light")"
            return look.isWide ? name + "-wide" : name
        }

        /// The screen within the frame of a device.
        var frame: Box {
            guard scene.hasScreen else { return scene.box }
            var name = "screen"
            if look.isWide { name += " wide" }
            if state == .button { name += " small" }
            return Box("div", class: name, [scene.box])
        }
    }

    /// The page of one screen.
    static func screen(_ entry: Entry) -> String {
        let heading = Box("h1", text: "\(entry.vendor): \(entry.state.rawValue)")
        return page(
            "\(entry.vendor): \(entry.state.rawValue)",
            Box("main", [heading, entry.frame]),
            isDark: entry.look.isDark
        )
    }

    /// The page of all screens: states are rows, vendors columns; the wide ones are below.
    static func index(_ entries: [Entry], isDark: Bool) -> String {
        let entries = entries.filter { $0.look.isDark == isDark }
        var vendors: [String] = []
        for entry in entries where !vendors.contains(entry.vendor) { vendors.append(entry.vendor) }
        var head = Box(
            "tr",
            [Box("td")]
                + vendors.map { vendor in
                    var box = Box("th", text: vendor)
                    box["scope"] = "col"
                    return box
                }
        )
        head.tag = "tr"
        let rows = GalleryState.allCases.map { state in
            var title = Box("th", text: state.rawValue)
            title["scope"] = "row"
            return Box(
                "tr",
                [title]
                    + vendors.map { vendor in
                        Box(
                            "td",
                            entries.filter { $0.vendor == vendor && $0.state == state && !$0.look.isWide }.map(\.frame)
                        )
                    }
            )
        }
        let wide = entries.filter(\.look.isWide).flatMap { entry in
            [Box("h2", text: "\(entry.vendor): \(entry.state.rawValue), wide"), entry.frame]
        }
        var other = Box("a", text: isDark ? "Light" : "Dark")
        other["href"] = isDark ? "index.html" : "index-dark.html"
        var note = Box(
            "p",
            class: "note",
            text: "Drawn from the trees of Tests/ScreenTests: each element is a view of the "
                + "screen, or what the system draws around it. Symbols are simple glyphs; a picture of the web is its place. "
        )
        note.content.append(.box(other))
        let main = Box(
            "main",
            [
                Box("h1", text: "Screens"), note, Box("table", [Box("thead", [head]), Box("tbody", rows)]),
            ] + wide
        )
        return page("Screens", main, isDark: isDark)
    }

    /// The page of screens that write mail, one below the other.
    static func writing(_ entries: [WritingGallery.Entry], isDark: Bool) -> String {
        let screens = entries.flatMap { entry in
            let name = "\(entry.scene.rawValue)\(entry.look.isWide ? ", wide" : "")"
            let frame = Box("div", class: entry.look.isWide ? "screen wide" : "screen", [entry.screen.box])
            return [Box("h2", text: name), frame]
        }
        return page("Writing mail", Box("main", [Box("h1", text: "Writing mail")] + screens), isDark: isDark)
    }

    private static func page(_ title: String, _ main: Box, isDark: Bool) -> String {
        """
        <!doctype html><html lang="en" class="\(isDark ? "dark" : "light")"><head><meta charset="utf-8">\
        <meta name="viewport" content="width=device-width"><title>\(Box.escaped(title))</title>\
        <style>\(css)</style></head><body>\(main.html)</body></html>
        """
    }

    private static let css = """
        .light{color-scheme:light;--page:#e9e9ee;--background:#fff;--grouped:#f2f2f7;--raised:#fff;--text:#000;--line:#c6c6c8;
        --fill:#e4e4e9;--chosen:#fff;--veil:#f9f9f9e6;--grey:#55555c;--tint:#007aff}
        .dark{color-scheme:dark;--page:#2a2a2e;--background:#000;--grouped:#000;--raised:#1c1c1e;--text:#fff;--line:#38383a;
        --fill:#26262a;--chosen:#636366;--veil:#1d1d1de6;--grey:#b4b4bb;--tint:#0a84ff}
        *{box-sizing:border-box}
        body{margin:0;background:var(--page);color:var(--text);font:16px system-ui,sans-serif}
        main{padding:16px}h1,h2{font-size:20px;margin:0 0 12px}h2{margin-top:24px}.note{margin:0 0 16px}
        a{color:inherit}table{border-spacing:16px 24px}td,th{vertical-align:top;text-align:start}th{text-transform:capitalize}
        .words{width:390px;max-width:100%;margin:0;padding:16px;border:1px dashed var(--grey);border-radius:12px;color:var(--grey)}
        .screen{width:390px;max-width:100%;min-height:720px;display:flex;flex-direction:column;background:var(--background);
        border-radius:24px;overflow:hidden;border:1px solid var(--line);line-height:1.25}
        .screen.wide{width:1100px}.screen.small{min-height:96px}
        .screen>*{flex:1 1 auto;min-width:0}
        .screen *{min-width:0}
        .column{display:flex;flex-direction:column}.row{display:flex;flex-direction:row}
        .column>.progress,.column>svg{align-self:center}
        .cell,.view{display:grid;grid-template-columns:minmax(0,1fr)}
        .cell{grid-template-rows:minmax(0,1fr)}
        .layered{position:relative;isolation:isolate}
        .layer{position:absolute;inset:0;display:grid;grid-template:minmax(0,1fr)/minmax(0,1fr)}.behind{z-index:-1}
        .edge{inset:-200px 0}.bar,.large.title,.search{position:relative;z-index:1}.sidebar{overflow:hidden}
        .screen:has(.grouped){background:var(--grouped)}
        .across{overflow-x:auto}.across *{flex-shrink:0!important}.across .cell{grid-template-columns:max-content}
        .text{white-space:pre-line;overflow-wrap:anywhere;unicode-bidi:plaintext}[dir=rtl] .text{text-align:right}
        svg{fill:none;stroke:currentColor;stroke-width:1.7;stroke-linecap:round;stroke-linejoin:round}
        .picture{background:linear-gradient(135deg,#7fb2d9,#9fc7a8);display:grid;place-items:center;min-height:24px}
        .picture.bare{background:none}
        .progress{width:20px;height:20px;border:3px solid #8e8e9366;border-top-color:#8e8e93;border-radius:50%;display:block}
        .progress.large{width:36px;height:36px}
        .button{appearance:none;border:0;background:none;padding:0;margin:0;font:inherit;display:grid;color:var(--tint);
        text-align:start}
        .button:disabled{opacity:.5}
        .bordered{background:color-mix(in srgb,var(--tint) 15%,transparent);border-radius:8px;padding:7px 12px}
        .prominent{background:var(--tint);border-radius:8px;padding:7px 12px}
        .segments{display:flex;background:var(--fill);border-radius:9px;padding:2px}
        .segment{flex:1 1 auto;display:grid;place-items:center;padding:5px 4px;border-radius:7px}
        .selected{background:var(--chosen);box-shadow:0 1px 3px #0003}
        .bar{display:grid;grid-template-columns:minmax(max-content,1fr) minmax(0,auto) minmax(max-content,1fr);
        gap:8px;align-items:center;min-height:44px;padding:0 16px;width:100%}
        .bar>:last-child{justify-self:end}.bar>.title{font-weight:600;font-size:17px;white-space:nowrap;
        overflow:hidden;text-overflow:ellipsis}
        .under{position:relative}.under>.bar{position:absolute;top:0;z-index:1;background:var(--veil)}
        .back{display:flex;align-items:center;gap:4px;font-size:17px}
        .large.title{font-size:34px;font-weight:700;padding:4px 16px 8px}
        .search{display:flex;gap:6px;align-items:center;background:var(--fill);border-radius:10px;padding:8px;margin:0 16px 8px;
        width:calc(100% - 32px)!important;font-size:17px}
        .list{list-style:none;margin:0;padding:0}.listed{display:grid}
        .separated+.separated{border-top:1px solid var(--line)}
        .grouped{background:var(--grouped);padding:16px}.inset{background:var(--raised);border-radius:12px}
        .hint{font-size:12px;color:var(--grey);padding:4px 16px;border-block:1px dotted var(--grey);margin:2px 0}
        .sidebar{border-inline-end:1px solid var(--line)}.columns{align-items:stretch}
        .sheet{background:var(--raised);border-radius:16px 16px 0 0}
        .field{appearance:none;border:0;background:none;padding:0;margin:0;font:inherit;width:100%;resize:none}
        .field::placeholder{color:var(--grey);opacity:1}.grid{display:grid;gap:6px;width:100%}
        .fraction{width:100%;height:4px;border-radius:2px;background:var(--fill)}
        .fraction>div{height:4px;border-radius:2px;background:var(--tint)}
        .unknown{border:2px dashed magenta;color:var(--text);padding:4px;font-size:12px}
        iframe{border:0;width:100%;height:100%;min-height:320px;display:block}
        """
}
