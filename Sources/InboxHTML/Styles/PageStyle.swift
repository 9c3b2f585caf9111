import InboxCards

/// The styles of a page around its cards, which follow ``BaseStyle``.
package enum PageStyle {
    /// The style rules, in units of the reader's text size and logical directions.
    package static let css = """
        html{text-size-adjust:100%;-webkit-text-size-adjust:100%;scrollbar-gutter:stable}
        body{min-height:100vh;min-height:100dvh;display:flex;flex-direction:column}
        .ib-skip{position:absolute;z-index:3;inset-inline-start:1rem;inset-block-start:.5rem;padding:.5rem 1rem;\
        transform:translateY(calc(-100% - 1rem));border-radius:.5rem;\
        \(CSS.color("background-color", .card));\(CSS.color("color", .accent))}
        .ib-skip:focus{transform:none}
        .ib-header,.ib-main{width:100%;max-width:44rem;margin-inline:auto;padding-inline:1rem}
        .ib-header{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:.25rem 1rem;\
        padding-block:1.5rem .75rem}
        .ib-titles{min-width:0}
        .ib-header h1{font-size:1.625rem;line-height:1.2;font-weight:700;letter-spacing:-.01em;overflow-wrap:anywhere}
        :is(#messages,#message):focus{outline:none}
        #unread,.ib-caption{\(CSS.color("color", .secondary));font-size:.875rem}
        .ib-main{flex:1;padding-block:.25rem 3rem;overflow-anchor:none}
        .ib-list{list-style:none;margin:0;padding:0;display:flex;flex-direction:column}
        .ib-list>li{min-width:0}
        .ib-list .ib-card:hover{\
        box-shadow:0 0 0 1px light-dark(#0000001f,#ffffff2b),0 2px 10px light-dark(#0000001f,#00000099)}
        :where(.ib-list .ib-card) :is(h2,p){display:-webkit-box;-webkit-box-orient:vertical;overflow:hidden;\
        -webkit-line-clamp:8}
        :where(.ib-list .ib-card) h2{-webkit-line-clamp:4}
        .ib-list .ib-button{font-weight:600;margin-inline-end:.5rem}
        .ib-list.ib-row{display:grid;grid-auto-flow:column;grid-auto-columns:min(18rem,82vw);\
        grid-template-rows:1fr auto;justify-content:start;row-gap:0;overflow-x:auto;\
        scroll-snap-type:x proximity;margin-inline:-1rem;padding:.5rem 1rem 1rem;scroll-padding-inline:1rem}
        body:has(.ib-row) :is(.ib-header,.ib-bar,.ib-main){max-width:76rem}
        .ib-row>li{scroll-snap-align:start;display:grid;grid-row:span 2;grid-template-rows:subgrid;\
        align-items:start}
        .ib-row .ib-card{align-self:stretch}
        .ib-more{display:flex;justify-content:center;padding-block-start:1.5rem}
        .ib-more:empty{display:none}
        .ib-back{padding-block-end:.75rem}
        \(ListStyle.css)
        .ib-quiet,.ib-action{display:inline-flex;align-items:center;justify-content:center;min-height:2.75rem;\
        padding:.375rem .875rem;border:0;border-radius:.625rem;background:none;font-size:.9375rem;font-weight:500;\
        line-height:1.25;text-decoration:none;cursor:pointer;max-width:100%;overflow-wrap:break-word;\
        \(CSS.color("color", .accent))}
        .ib-quiet:hover{\(CSS.color("background-color", .hover))}
        .ib-header .ib-quiet{margin-inline-end:-.875rem;max-width:calc(100% + .875rem)}
        .ib-header nav .ib-quiet{margin-inline:-.875rem 0}
        .ib-up::before{content:"";width:.5rem;height:.5rem;margin-inline-end:.5rem;border:solid currentColor;\
        border-width:2px 0 0 2px;transform:rotate(-45deg)}
        [dir=rtl] .ib-up::before{transform:rotate(45deg);border-width:2px 2px 0 0}
        .ib-danger{\(CSS.color("color", .danger))}
        .ib-action{border:1px solid light-dark(#00000026,#ffffff33);\(CSS.color("background-color", .card))}
        .ib-action:hover{border-color:currentColor}
        .ib-main-action{border-color:transparent;\(CSS.color("color", .onAccent));\
        \(CSS.color("background-color", .accent))}
        .ib-main-action:hover{\(CSS.color("background-color", .strongAccent))}
        button[aria-disabled=true]{opacity:.5}
        .ib-notice{display:flex;flex-wrap:wrap;align-items:center;gap:0 .5rem;min-height:3.25rem;margin-block-end:1rem;\
        padding:.25rem .25rem .25rem 1rem;padding-inline:1rem .25rem;border-radius:.75rem;font-size:.9375rem;\
        overflow-wrap:anywhere;\(CSS.color("background-color", .notice))}
        .ib-notice span{flex:1 1 9rem;min-width:0}
        .ib-notice form{max-width:100%}
        .ib-notice .ib-quiet{\(CSS.color("color", .strongAccent))}
        .ib-detail{padding:1.5rem;border-radius:1rem;overflow-wrap:anywhere;\(CSS.color("background-color", .card));\
        box-shadow:0 0 0 1px light-dark(#0000000f,#ffffff14),0 1px 3px light-dark(#00000014,#00000066)}
        .ib-detail h1{font-size:1.5rem;line-height:1.25;font-weight:650;letter-spacing:-.01em;\
        margin-block:.25rem .375rem}
        .ib-detail :is(h1,.ib-caption){\(CSS.pageAligned)}
        .ib-cover{display:block;margin-block-start:1.25rem}
        .ib-cover img{display:block;width:100%;height:auto;max-height:30rem;object-fit:contain;border-radius:.75rem;\
        position:relative;\(BaseStyle.missingPicture)}
        .ib-cover img::after{\(BaseStyle.brokenPicture)}
        .ib-body{margin-block-start:1.125rem;font-size:1.0625rem;line-height:1.55}
        .ib-html{display:block;width:100%;height:min(75vh,48rem);margin-block-start:1.25rem;\
        border:1px solid \(CSS.lightDark(.fieldBorder));border-radius:.75rem;resize:vertical;overflow:auto}
        .ib-narrow{display:none}@media (max-width:40rem){.ib-wide{display:none}.ib-narrow{display:block}}
        .ib-buttons{display:flex;flex-wrap:wrap;gap:.625rem;margin-block-start:1.5rem}
        .ib-actions{display:flex;flex-wrap:wrap;align-items:flex-start;gap:.25rem;margin-block-start:.75rem;\
        padding-inline:.625rem}
        .ib-center{display:grid;place-items:center}
        .ib-state{display:grid;justify-items:center;text-align:center;gap:.5rem;padding:3rem 1rem;width:100%;\
        overflow-wrap:anywhere}
        .ib-state h1,.ib-state h2{font-size:1.25rem;line-height:1.3;font-weight:650}
        .ib-state p{\(CSS.color("color", .secondary))}
        .ib-state img{max-height:7.5rem;max-width:100%}
        .ib-state .ib-buttons{justify-content:center;margin-block-start:1rem}
        .ib-tray{width:5rem;height:auto;margin-block-end:.5rem;fill:none;stroke:light-dark(#8e8e93,#8e8e93);\
        stroke-width:2.5;stroke-linejoin:round}
        .ib-form{display:grid;gap:.5rem;width:min(22rem,100%);margin-block-start:.75rem;text-align:start}
        .ib-form label{font-size:.875rem;font-weight:500;\(CSS.color("color", .secondary))}
        .ib-form input{width:100%;min-height:2.75rem;padding:.5rem .75rem;border-radius:.625rem;\
        border:1px solid \(CSS.lightDark(.fieldBorder));\(CSS.color("background-color", .card))}
        .ib-form button{margin-block-start:.5rem}
        .ib-state .ib-error{\(CSS.color("color", .danger));font-size:.9375rem}
        :focus-visible{outline:2px solid \(CSS.lightDark(.accent));outline-offset:2px}
        @media (max-width:30rem){.ib-detail{padding:1.125rem}.ib-actions{padding-inline:.25rem}\
        .ib-header{padding-block-start:1rem}}
        @media (prefers-reduced-motion:no-preference){.ib-row{scroll-behavior:smooth}\
        .ib-list .ib-card{transition:box-shadow .15s,background-color .2s}}
        @media (forced-colors:active){.ib-card,.ib-detail,.ib-notice{border:1px solid}}
        @media print{:root{color-scheme:light}.ib-list>li{break-inside:avoid;padding-block-start:.375rem}\
        .ib-list.ib-row{grid-auto-flow:row;grid-template:none/repeat(auto-fill,minmax(14rem,1fr));row-gap:1rem}\
        .ib-row>li{display:block}.ib-header form,.ib-bar,.ib-actions,.ib-tools,.ib-selection,#read-all,.ib-dismiss,\
        .ib-more{display:none}}
        \(CardPlaceholders.css)
        \(ProblemNotice.css)
        """

    /// The page's icon: a tray with a dot.
    package static let icon = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">\
        <rect width="32" height="32" rx="7" fill="#005bc4"/>\
        <path d="M9 9h14l4 9v5a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2v-5z" fill="none" stroke="#fff" stroke-width="2" \
        stroke-linejoin="round"/><path d="M5 18h6l2 3h6l2-3h6" fill="none" stroke="#fff" stroke-width="2" \
        stroke-linejoin="round"/></svg>
        """
}
