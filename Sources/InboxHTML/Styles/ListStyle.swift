import InboxCards

/// The styles around the cards of a list: tabs, search, and the forms that change messages.
enum ListStyle {
    /// The style rules. Nothing floats over the page but the bar of the selected messages: menus unfold in their place,
    /// so that they fit any width and text size. A menu's button stays in its place; browsers without
    /// `::details-content` have it on a line of its own.
    ///
    /// The focused element scrolls clear of the bar, which takes at most half of the view, and rarely more than
    /// `12rem`. Without `:has()`, the bar is after the cards.
    static let css = """
        [hidden]{display:none!important}
        button,input{font:inherit;color:inherit}
        .ib-bar{width:100%;max-width:44rem;margin-inline:auto;padding:0 1rem .75rem;display:grid;\
        grid-template-columns:minmax(0,1fr);gap:.5rem}
        .ib-tabs{display:flex;flex-wrap:wrap;gap:.25rem}
        .ib-tabs a{display:inline-flex;align-items:center;gap:.375rem;min-height:2.75rem;padding:.375rem .875rem;\
        border-radius:.625rem;font-size:.9375rem;font-weight:500;line-height:1.25;text-decoration:none;\
        overflow-wrap:anywhere;\(CSS.color("color", .secondary))}
        .ib-tabs a:hover{\(CSS.color("background-color", .hover))}
        .ib-tabs a[aria-current]{font-weight:650;\(CSS.color("background-color", .card));\
        \(CSS.color("color", .primary));box-shadow:0 0 0 1px light-dark(#0000001a,#ffffff2b)}
        .ib-tabs b{min-width:1.375rem;padding:.0625rem .375rem;border-radius:1rem;text-align:center;font-size:.75rem;\
        font-weight:600;\(CSS.color("background-color", .notice));\(CSS.color("color", .primary))}
        .ib-search{display:flex;flex-wrap:wrap;gap:.25rem}
        .ib-search input{flex:1 1 9rem;min-width:0;min-height:2.75rem;padding:.5rem .75rem;border-radius:.625rem;\
        border:1px solid \(CSS.lightDark(.fieldBorder));\(CSS.color("background-color", .card))}
        .ib-found{margin-block-end:.5rem}
        .ib-list>li{scroll-margin-block-start:1rem}
        #read-all{display:flex;justify-content:flex-end;margin-block-end:.5rem}
        #read-all:empty{display:none}
        #read-all .ib-quiet{margin-inline-end:-.875rem;max-width:calc(100% + .875rem)}
        .ib-tools{display:flex;flex-wrap:wrap;align-items:center;justify-content:flex-end;gap:0 .25rem;\
        margin-block:.125rem .5rem}
        .ib-group{display:contents}
        .ib-pick{display:grid;place-items:center;min-width:2.75rem;min-height:2.75rem;margin-inline-end:auto;\
        cursor:pointer}
        .ib-pick input{width:1.25rem;height:1.25rem;margin:0;cursor:inherit;\
        accent-color:\(CSS.lightDark(.accent))}
        li:has(>.ib-tools .ib-pick input:checked) .ib-card{outline:2px solid \(CSS.lightDark(.accent));\
        outline-offset:1px}
        .ib-until{margin-inline-end:auto;font-size:.8125rem;\(CSS.color("color", .secondary))}
        .ib-pick:has(+.ib-until){margin-inline-end:0}
        .ib-menu summary{list-style:none}
        .ib-menu summary::-webkit-details-marker{display:none}
        .ib-menu summary::after{content:"";width:.375rem;height:.375rem;margin-inline-start:.5rem;\
        border:solid currentColor;border-width:0 2px 2px 0;transform:translateY(-.125rem) rotate(45deg)}
        .ib-menu[open] summary::after{transform:translateY(.125rem) rotate(225deg)}
        .ib-menu{flex:1 0 100%}
        .ib-menu summary{display:flex;width:fit-content;margin-inline-start:auto}
        @supports selector(::details-content){.ib-menu{display:contents}.ib-menu summary{margin-inline-start:0}\
        .ib-menu::details-content{display:none}.ib-menu[open]::details-content{display:block;flex:1 0 100%}}
        :is(.ib-actions,.ib-selection) .ib-menu :is(summary,.ib-menu-items){margin-inline-start:0}
        .ib-menu-items{display:grid;gap:.125rem;margin-inline-start:auto;width:min(22rem,100%);padding:.375rem;\
        border-radius:.75rem;\
        \(CSS.color("background-color", .card));box-shadow:0 0 0 1px light-dark(#0000001a,#ffffff2b)}
        .ib-menu-items .ib-quiet{justify-content:space-between;gap:.75rem;width:100%;text-align:start}
        .ib-menu-items small{font-size:.8125rem;font-weight:400;text-align:end;\(CSS.color("color", .secondary))}
        .ib-snooze{padding-block:.25rem;border-block:1px solid light-dark(#0000001a,#ffffff2b)}
        .ib-snooze p{padding:.25rem .875rem;font-size:.8125rem;\(CSS.color("color", .secondary))}
        .ib-menu-items>.ib-snooze:first-child{border-block-start:0}
        .ib-menu-items>.ib-snooze:last-child{border-block-end:0}
        .ib-date{display:grid;gap:.5rem;padding:.5rem .875rem}
        .ib-date label{display:grid;gap:.25rem;font-size:.875rem}
        .ib-date input{min-width:0;width:100%;min-height:2.75rem;padding:.375rem .625rem;border-radius:.625rem;\
        border:1px solid \(CSS.lightDark(.fieldBorder));\(CSS.color("background-color", .page))}
        #messages{counter-reset:selected}
        #messages .ib-pick input:checked{counter-increment:selected}
        .ib-selection{display:flex;flex-wrap:wrap;align-items:center;justify-content:flex-end;\
        gap:0 .25rem;margin-block-start:1rem;padding:.375rem .375rem .375rem .875rem;\
        padding-inline:.875rem .375rem;border-radius:.875rem;\(CSS.color("background-color", .notice));\
        box-shadow:0 0 0 1px light-dark(#0000001a,#ffffff2b),0 4px 16px light-dark(#0000002b,#000000a6)}
        .ib-selection .ib-quiet{\(CSS.color("color", .strongAccent))}
        .ib-selection .ib-danger{\(CSS.color("color", .danger))}
        .ib-count{margin-inline-end:auto;font-size:.9375rem;font-weight:600}
        .ib-count b:empty::before{content:counter(selected)}
        @supports selector(:has(*)){\
        .ib-selection{position:fixed;z-index:3;inset-block-end:.5rem;inset-inline:1rem;max-width:42rem;\
        max-height:50vh;overflow-y:auto;margin:0 auto}\
        body:not(:has(#messages .ib-pick input:checked)) .ib-selection{display:none}\
        body:has(.ib-row) .ib-selection{max-width:74rem}\
        :root:has(#messages .ib-pick input:checked){--ib-covered:calc(min(12rem,50vh) + 1rem);\
        scroll-padding-block-end:var(--ib-covered)}\
        :root:has(#messages .ib-pick input:checked) .ib-main{padding-block-end:calc(var(--ib-covered) + 2rem)}\
        :root:has(.ib-selection details[open]){--ib-covered:calc(50vh + 1rem)!important}}
        @media (max-width:30rem){.ib-tabs a{padding-inline:.625rem}.ib-tools .ib-quiet{padding-inline:.625rem}\
        .ib-selection .ib-quiet{padding:.25rem .5rem;min-height:2.25rem;font-size:.875rem}\
        .ib-menu-items .ib-quiet{padding-inline:.875rem}}
        @media (forced-colors:active){.ib-tabs a[aria-current],.ib-menu-items,.ib-selection{border:1px solid}}
        """
}
