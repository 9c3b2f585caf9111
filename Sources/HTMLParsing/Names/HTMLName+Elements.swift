// Written by scripts/generate-html-names. Don't edit it by hand.

extension HTMLName {
    /// The name `a`.
    public static var a: HTMLName { HTMLName(id: 0) }
    /// The name `abbr`.
    public static var abbr: HTMLName { HTMLName(id: 1) }
    /// The name `acronym`.
    public static var acronym: HTMLName { HTMLName(id: 2) }
    /// The name `address`.
    public static var address: HTMLName { HTMLName(id: 3) }
    /// The name `annotation-xml`.
    public static var annotationXML: HTMLName { HTMLName(id: 4) }
    /// The name `applet`.
    public static var applet: HTMLName { HTMLName(id: 5) }
    /// The name `area`.
    public static var area: HTMLName { HTMLName(id: 6) }
    /// The name `article`.
    public static var article: HTMLName { HTMLName(id: 7) }
    /// The name `aside`.
    public static var aside: HTMLName { HTMLName(id: 8) }
    /// The name `audio`.
    public static var audio: HTMLName { HTMLName(id: 9) }
    /// The name `b`.
    public static var b: HTMLName { HTMLName(id: 10) }
    /// The name `base`.
    public static var base: HTMLName { HTMLName(id: 11) }
    /// The name `basefont`.
    public static var basefont: HTMLName { HTMLName(id: 12) }
    /// The name `bdi`.
    public static var bdi: HTMLName { HTMLName(id: 13) }
    /// The name `bdo`.
    public static var bdo: HTMLName { HTMLName(id: 14) }
    /// The name `bgsound`.
    public static var bgsound: HTMLName { HTMLName(id: 15) }
    /// The name `big`.
    public static var big: HTMLName { HTMLName(id: 16) }
    /// The name `blink`.
    public static var blink: HTMLName { HTMLName(id: 17) }
    /// The name `blockquote`.
    public static var blockquote: HTMLName { HTMLName(id: 18) }
    /// The name `body`.
    public static var body: HTMLName { HTMLName(id: 19) }
    /// The name `br`.
    public static var br: HTMLName { HTMLName(id: 20) }
    /// The name `button`.
    public static var button: HTMLName { HTMLName(id: 21) }
    /// The name `canvas`.
    public static var canvas: HTMLName { HTMLName(id: 22) }
    /// The name `caption`.
    public static var caption: HTMLName { HTMLName(id: 23) }
    /// The name `center`.
    public static var center: HTMLName { HTMLName(id: 24) }
    /// The name `cite`.
    public static var cite: HTMLName { HTMLName(id: 25) }
    /// The name `code`.
    public static var code: HTMLName { HTMLName(id: 26) }
    /// The name `col`.
    public static var col: HTMLName { HTMLName(id: 27) }
    /// The name `colgroup`.
    public static var colgroup: HTMLName { HTMLName(id: 28) }
    /// The name `data`.
    public static var data: HTMLName { HTMLName(id: 29) }
    /// The name `datalist`.
    public static var datalist: HTMLName { HTMLName(id: 30) }
    /// The name `dd`.
    public static var dd: HTMLName { HTMLName(id: 31) }
    /// The name `del`.
    public static var del: HTMLName { HTMLName(id: 32) }
    /// The name `desc`.
    public static var desc: HTMLName { HTMLName(id: 33) }
    /// The name `details`.
    public static var details: HTMLName { HTMLName(id: 34) }
    /// The name `dfn`.
    public static var dfn: HTMLName { HTMLName(id: 35) }
    /// The name `dialog`.
    public static var dialog: HTMLName { HTMLName(id: 36) }
    /// The name `dir`.
    public static var dir: HTMLName { HTMLName(id: 37) }
    /// The name `div`.
    public static var div: HTMLName { HTMLName(id: 38) }
    /// The name `dl`.
    public static var dl: HTMLName { HTMLName(id: 39) }
    /// The name `dt`.
    public static var dt: HTMLName { HTMLName(id: 40) }
    /// The name `em`.
    public static var em: HTMLName { HTMLName(id: 41) }
    /// The name `embed`.
    public static var embed: HTMLName { HTMLName(id: 42) }
    /// The name `fieldset`.
    public static var fieldset: HTMLName { HTMLName(id: 43) }
    /// The name `figcaption`.
    public static var figcaption: HTMLName { HTMLName(id: 44) }
    /// The name `figure`.
    public static var figure: HTMLName { HTMLName(id: 45) }
    /// The name `font`.
    public static var font: HTMLName { HTMLName(id: 46) }
    /// The name `footer`.
    public static var footer: HTMLName { HTMLName(id: 47) }
    /// The name `form`.
    public static var form: HTMLName { HTMLName(id: 49) }
    /// The name `frame`.
    public static var frame: HTMLName { HTMLName(id: 50) }
    /// The name `frameset`.
    public static var frameset: HTMLName { HTMLName(id: 51) }
    /// The name `h1`.
    public static var h1: HTMLName { HTMLName(id: 52) }
    /// The name `h2`.
    public static var h2: HTMLName { HTMLName(id: 53) }
    /// The name `h3`.
    public static var h3: HTMLName { HTMLName(id: 54) }
    /// The name `h4`.
    public static var h4: HTMLName { HTMLName(id: 55) }
    /// The name `h5`.
    public static var h5: HTMLName { HTMLName(id: 56) }
    /// The name `h6`.
    public static var h6: HTMLName { HTMLName(id: 57) }
    /// The name `head`.
    public static var head: HTMLName { HTMLName(id: 58) }
    /// The name `header`.
    public static var header: HTMLName { HTMLName(id: 59) }
    /// The name `hgroup`.
    public static var hgroup: HTMLName { HTMLName(id: 60) }
    /// The name `hr`.
    public static var hr: HTMLName { HTMLName(id: 61) }
    /// The name `html`.
    public static var html: HTMLName { HTMLName(id: 62) }
    /// The name `i`.
    public static var i: HTMLName { HTMLName(id: 63) }
    /// The name `iframe`.
    public static var iframe: HTMLName { HTMLName(id: 64) }
    /// The name `image`.
    public static var image: HTMLName { HTMLName(id: 65) }
    /// The name `img`.
    public static var img: HTMLName { HTMLName(id: 66) }
    /// The name `input`.
    public static var input: HTMLName { HTMLName(id: 67) }
    /// The name `ins`.
    public static var ins: HTMLName { HTMLName(id: 68) }
    /// The name `kbd`.
    public static var kbd: HTMLName { HTMLName(id: 69) }
    /// The name `keygen`.
    public static var keygen: HTMLName { HTMLName(id: 70) }
    /// The name `label`.
    public static var label: HTMLName { HTMLName(id: 71) }
    /// The name `legend`.
    public static var legend: HTMLName { HTMLName(id: 72) }
    /// The name `li`.
    public static var li: HTMLName { HTMLName(id: 73) }
    /// The name `link`.
    public static var link: HTMLName { HTMLName(id: 74) }
    /// The name `listing`.
    public static var listing: HTMLName { HTMLName(id: 75) }
    /// The name `main`.
    public static var main: HTMLName { HTMLName(id: 76) }
    /// The name `malignmark`.
    public static var malignmark: HTMLName { HTMLName(id: 77) }
    /// The name `map`.
    public static var map: HTMLName { HTMLName(id: 78) }
    /// The name `mark`.
    public static var mark: HTMLName { HTMLName(id: 79) }
    /// The name `marquee`.
    public static var marquee: HTMLName { HTMLName(id: 80) }
    /// The name `math`.
    public static var math: HTMLName { HTMLName(id: 81) }
    /// The name `menu`.
    public static var menu: HTMLName { HTMLName(id: 82) }
    /// The name `menuitem`.
    public static var menuitem: HTMLName { HTMLName(id: 83) }
    /// The name `meta`.
    public static var meta: HTMLName { HTMLName(id: 84) }
    /// The name `meter`.
    public static var meter: HTMLName { HTMLName(id: 85) }
    /// The name `mglyph`.
    public static var mglyph: HTMLName { HTMLName(id: 86) }
    /// The name `mi`.
    public static var mi: HTMLName { HTMLName(id: 87) }
    /// The name `mn`.
    public static var mn: HTMLName { HTMLName(id: 88) }
    /// The name `mo`.
    public static var mo: HTMLName { HTMLName(id: 89) }
    /// The name `ms`.
    public static var ms: HTMLName { HTMLName(id: 90) }
    /// The name `mtext`.
    public static var mtext: HTMLName { HTMLName(id: 91) }
    /// The name `nav`.
    public static var nav: HTMLName { HTMLName(id: 92) }
    /// The name `nobr`.
    public static var nobr: HTMLName { HTMLName(id: 93) }
    /// The name `noembed`.
    public static var noembed: HTMLName { HTMLName(id: 94) }
    /// The name `noframes`.
    public static var noframes: HTMLName { HTMLName(id: 95) }
    /// The name `noscript`.
    public static var noscript: HTMLName { HTMLName(id: 96) }
    /// The name `object`.
    public static var object: HTMLName { HTMLName(id: 97) }
    /// The name `ol`.
    public static var ol: HTMLName { HTMLName(id: 98) }
    /// The name `optgroup`.
    public static var optgroup: HTMLName { HTMLName(id: 99) }
    /// The name `option`.
    public static var option: HTMLName { HTMLName(id: 100) }
    /// The name `output`.
    public static var output: HTMLName { HTMLName(id: 101) }
    /// The name `p`.
    public static var p: HTMLName { HTMLName(id: 102) }
    /// The name `param`.
    public static var param: HTMLName { HTMLName(id: 103) }
    /// The name `picture`.
    public static var picture: HTMLName { HTMLName(id: 104) }
    /// The name `plaintext`.
    public static var plaintext: HTMLName { HTMLName(id: 105) }
    /// The name `pre`.
    public static var pre: HTMLName { HTMLName(id: 106) }
    /// The name `progress`.
    public static var progress: HTMLName { HTMLName(id: 107) }
    /// The name `q`.
    public static var q: HTMLName { HTMLName(id: 108) }
    /// The name `rb`.
    public static var rb: HTMLName { HTMLName(id: 109) }
    /// The name `rp`.
    public static var rp: HTMLName { HTMLName(id: 110) }
    /// The name `rt`.
    public static var rt: HTMLName { HTMLName(id: 111) }
    /// The name `rtc`.
    public static var rtc: HTMLName { HTMLName(id: 112) }
    /// The name `ruby`.
    public static var ruby: HTMLName { HTMLName(id: 113) }
    /// The name `s`.
    public static var s: HTMLName { HTMLName(id: 114) }
    /// The name `samp`.
    public static var samp: HTMLName { HTMLName(id: 115) }
    /// The name `script`.
    public static var script: HTMLName { HTMLName(id: 116) }
    /// The name `search`.
    public static var search: HTMLName { HTMLName(id: 117) }
    /// The name `section`.
    public static var section: HTMLName { HTMLName(id: 118) }
    /// The name `select`.
    public static var select: HTMLName { HTMLName(id: 119) }
    /// The name `selectedcontent`.
    public static var selectedcontent: HTMLName { HTMLName(id: 120) }
    /// The name `slot`.
    public static var slot: HTMLName { HTMLName(id: 121) }
    /// The name `small`.
    public static var small: HTMLName { HTMLName(id: 122) }
    /// The name `source`.
    public static var source: HTMLName { HTMLName(id: 123) }
    /// The name `spacer`.
    public static var spacer: HTMLName { HTMLName(id: 124) }
    /// The name `span`.
    public static var span: HTMLName { HTMLName(id: 125) }
    /// The name `strike`.
    public static var strike: HTMLName { HTMLName(id: 126) }
    /// The name `strong`.
    public static var strong: HTMLName { HTMLName(id: 127) }
    /// The name `style`.
    public static var style: HTMLName { HTMLName(id: 128) }
    /// The name `sub`.
    public static var sub: HTMLName { HTMLName(id: 129) }
    /// The name `summary`.
    public static var summary: HTMLName { HTMLName(id: 130) }
    /// The name `sup`.
    public static var sup: HTMLName { HTMLName(id: 131) }
    /// The name `svg`.
    public static var svg: HTMLName { HTMLName(id: 132) }
    /// The name `table`.
    public static var table: HTMLName { HTMLName(id: 133) }
    /// The name `tbody`.
    public static var tbody: HTMLName { HTMLName(id: 134) }
    /// The name `td`.
    public static var td: HTMLName { HTMLName(id: 135) }
    /// The name `template`.
    public static var template: HTMLName { HTMLName(id: 136) }
    /// The name `textarea`.
    public static var textarea: HTMLName { HTMLName(id: 137) }
    /// The name `tfoot`.
    public static var tfoot: HTMLName { HTMLName(id: 138) }
    /// The name `th`.
    public static var th: HTMLName { HTMLName(id: 139) }
    /// The name `thead`.
    public static var thead: HTMLName { HTMLName(id: 140) }
    /// The name `time`.
    public static var time: HTMLName { HTMLName(id: 141) }
    /// The name `title`.
    public static var title: HTMLName { HTMLName(id: 142) }
    /// The name `tr`.
    public static var tr: HTMLName { HTMLName(id: 143) }
    /// The name `track`.
    public static var track: HTMLName { HTMLName(id: 144) }
    /// The name `tt`.
    public static var tt: HTMLName { HTMLName(id: 145) }
    /// The name `u`.
    public static var u: HTMLName { HTMLName(id: 146) }
    /// The name `ul`.
    public static var ul: HTMLName { HTMLName(id: 147) }
    /// The name `var`.
    public static var `var`: HTMLName { HTMLName(id: 148) }
    /// The name `video`.
    public static var video: HTMLName { HTMLName(id: 149) }
    /// The name `wbr`.
    public static var wbr: HTMLName { HTMLName(id: 150) }
    /// The name `xmp`.
    public static var xmp: HTMLName { HTMLName(id: 151) }
}
