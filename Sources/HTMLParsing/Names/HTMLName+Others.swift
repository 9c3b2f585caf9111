// Written by scripts/generate-html-names. Don't edit it by hand.

extension HTMLName {
    /// The name `accept`.
    public static var accept: HTMLName { HTMLName(id: 152) }
    /// The name `accept-charset`.
    public static var acceptCharset: HTMLName { HTMLName(id: 153) }
    /// The name `accesskey`.
    public static var accesskey: HTMLName { HTMLName(id: 154) }
    /// The name `action`.
    public static var action: HTMLName { HTMLName(id: 155) }
    /// The name `align`.
    public static var align: HTMLName { HTMLName(id: 156) }
    /// The name `alink`.
    public static var alink: HTMLName { HTMLName(id: 157) }
    /// The name `allow`.
    public static var allow: HTMLName { HTMLName(id: 158) }
    /// The name `allowfullscreen`.
    public static var allowfullscreen: HTMLName { HTMLName(id: 159) }
    /// The name `alt`.
    public static var alt: HTMLName { HTMLName(id: 160) }
    /// The name `aria-hidden`.
    public static var ariaHidden: HTMLName { HTMLName(id: 161) }
    /// The name `aria-label`.
    public static var ariaLabel: HTMLName { HTMLName(id: 162) }
    /// The name `async`.
    public static var async: HTMLName { HTMLName(id: 163) }
    /// The name `autocomplete`.
    public static var autocomplete: HTMLName { HTMLName(id: 164) }
    /// The name `autofocus`.
    public static var autofocus: HTMLName { HTMLName(id: 165) }
    /// The name `autoplay`.
    public static var autoplay: HTMLName { HTMLName(id: 166) }
    /// The name `axis`.
    public static var axis: HTMLName { HTMLName(id: 167) }
    /// The name `background`.
    public static var background: HTMLName { HTMLName(id: 168) }
    /// The name `behavior`.
    public static var behavior: HTMLName { HTMLName(id: 169) }
    /// The name `bgcolor`.
    public static var bgcolor: HTMLName { HTMLName(id: 170) }
    /// The name `border`.
    public static var border: HTMLName { HTMLName(id: 171) }
    /// The name `bordercolor`.
    public static var bordercolor: HTMLName { HTMLName(id: 172) }
    /// The name `cellpadding`.
    public static var cellpadding: HTMLName { HTMLName(id: 173) }
    /// The name `cellspacing`.
    public static var cellspacing: HTMLName { HTMLName(id: 174) }
    /// The name `char`.
    public static var char: HTMLName { HTMLName(id: 175) }
    /// The name `charoff`.
    public static var charoff: HTMLName { HTMLName(id: 176) }
    /// The name `charset`.
    public static var charset: HTMLName { HTMLName(id: 177) }
    /// The name `checked`.
    public static var checked: HTMLName { HTMLName(id: 178) }
    /// The name `class`.
    public static var `class`: HTMLName { HTMLName(id: 179) }
    /// The name `classid`.
    public static var classid: HTMLName { HTMLName(id: 180) }
    /// The name `clear`.
    public static var clear: HTMLName { HTMLName(id: 181) }
    /// The name `codebase`.
    public static var codebase: HTMLName { HTMLName(id: 182) }
    /// The name `codetype`.
    public static var codetype: HTMLName { HTMLName(id: 183) }
    /// The name `color`.
    public static var color: HTMLName { HTMLName(id: 184) }
    /// The name `cols`.
    public static var cols: HTMLName { HTMLName(id: 185) }
    /// The name `colspan`.
    public static var colspan: HTMLName { HTMLName(id: 186) }
    /// The name `compact`.
    public static var compact: HTMLName { HTMLName(id: 187) }
    /// The name `content`.
    public static var content: HTMLName { HTMLName(id: 188) }
    /// The name `contenteditable`.
    public static var contenteditable: HTMLName { HTMLName(id: 189) }
    /// The name `controls`.
    public static var controls: HTMLName { HTMLName(id: 190) }
    /// The name `coords`.
    public static var coords: HTMLName { HTMLName(id: 191) }
    /// The name `crossorigin`.
    public static var crossorigin: HTMLName { HTMLName(id: 192) }
    /// The name `data-actiontype`.
    public static var dataActiontype: HTMLName { HTMLName(id: 193) }
    /// The name `data-link`.
    public static var dataLink: HTMLName { HTMLName(id: 194) }
    /// The name `datetime`.
    public static var datetime: HTMLName { HTMLName(id: 195) }
    /// The name `declare`.
    public static var declare: HTMLName { HTMLName(id: 196) }
    /// The name `decoding`.
    public static var decoding: HTMLName { HTMLName(id: 197) }
    /// The name `default`.
    public static var `default`: HTMLName { HTMLName(id: 198) }
    /// The name `defer`.
    public static var `defer`: HTMLName { HTMLName(id: 199) }
    /// The name `dirname`.
    public static var dirname: HTMLName { HTMLName(id: 201) }
    /// The name `direction`.
    public static var direction: HTMLName { HTMLName(id: 202) }
    /// The name `disabled`.
    public static var disabled: HTMLName { HTMLName(id: 203) }
    /// The name `download`.
    public static var download: HTMLName { HTMLName(id: 204) }
    /// The name `draggable`.
    public static var draggable: HTMLName { HTMLName(id: 205) }
    /// The name `encoding`.
    public static var encoding: HTMLName { HTMLName(id: 206) }
    /// The name `enctype`.
    public static var enctype: HTMLName { HTMLName(id: 207) }
    /// The name `face`.
    public static var face: HTMLName { HTMLName(id: 208) }
    /// The name `fill`.
    public static var fill: HTMLName { HTMLName(id: 209) }
    /// The name `for`.
    public static var `for`: HTMLName { HTMLName(id: 210) }
    /// The name `formaction`.
    public static var formaction: HTMLName { HTMLName(id: 211) }
    /// The name `frameborder`.
    public static var frameborder: HTMLName { HTMLName(id: 212) }
    /// The name `headers`.
    public static var headers: HTMLName { HTMLName(id: 213) }
    /// The name `height`.
    public static var height: HTMLName { HTMLName(id: 214) }
    /// The name `hidden`.
    public static var hidden: HTMLName { HTMLName(id: 215) }
    /// The name `high`.
    public static var high: HTMLName { HTMLName(id: 216) }
    /// The name `href`.
    public static var href: HTMLName { HTMLName(id: 217) }
    /// The name `hreflang`.
    public static var hreflang: HTMLName { HTMLName(id: 218) }
    /// The name `hspace`.
    public static var hspace: HTMLName { HTMLName(id: 219) }
    /// The name `http-equiv`.
    public static var httpEquiv: HTMLName { HTMLName(id: 220) }
    /// The name `id`.
    public static var id: HTMLName { HTMLName(id: 221) }
    /// The name `inert`.
    public static var inert: HTMLName { HTMLName(id: 222) }
    /// The name `integrity`.
    public static var integrity: HTMLName { HTMLName(id: 223) }
    /// The name `is`.
    public static var `is`: HTMLName { HTMLName(id: 224) }
    /// The name `ismap`.
    public static var ismap: HTMLName { HTMLName(id: 225) }
    /// The name `itemid`.
    public static var itemid: HTMLName { HTMLName(id: 226) }
    /// The name `itemprop`.
    public static var itemprop: HTMLName { HTMLName(id: 227) }
    /// The name `itemref`.
    public static var itemref: HTMLName { HTMLName(id: 228) }
    /// The name `itemscope`.
    public static var itemscope: HTMLName { HTMLName(id: 229) }
    /// The name `itemtype`.
    public static var itemtype: HTMLName { HTMLName(id: 230) }
    /// The name `kind`.
    public static var kind: HTMLName { HTMLName(id: 231) }
    /// The name `lang`.
    public static var lang: HTMLName { HTMLName(id: 232) }
    /// The name `language`.
    public static var language: HTMLName { HTMLName(id: 233) }
    /// The name `list`.
    public static var list: HTMLName { HTMLName(id: 234) }
    /// The name `loading`.
    public static var loading: HTMLName { HTMLName(id: 235) }
    /// The name `longdesc`.
    public static var longdesc: HTMLName { HTMLName(id: 236) }
    /// The name `loop`.
    public static var loop: HTMLName { HTMLName(id: 237) }
    /// The name `low`.
    public static var low: HTMLName { HTMLName(id: 238) }
    /// The name `marginheight`.
    public static var marginheight: HTMLName { HTMLName(id: 239) }
    /// The name `marginwidth`.
    public static var marginwidth: HTMLName { HTMLName(id: 240) }
    /// The name `max`.
    public static var max: HTMLName { HTMLName(id: 241) }
    /// The name `maxlength`.
    public static var maxlength: HTMLName { HTMLName(id: 242) }
    /// The name `media`.
    public static var media: HTMLName { HTMLName(id: 243) }
    /// The name `method`.
    public static var method: HTMLName { HTMLName(id: 244) }
    /// The name `min`.
    public static var min: HTMLName { HTMLName(id: 245) }
    /// The name `minlength`.
    public static var minlength: HTMLName { HTMLName(id: 246) }
    /// The name `multiple`.
    public static var multiple: HTMLName { HTMLName(id: 247) }
    /// The name `muted`.
    public static var muted: HTMLName { HTMLName(id: 248) }
    /// The name `name`.
    public static var name: HTMLName { HTMLName(id: 249) }
    /// The name `nohref`.
    public static var nohref: HTMLName { HTMLName(id: 250) }
    /// The name `nonce`.
    public static var nonce: HTMLName { HTMLName(id: 251) }
    /// The name `noresize`.
    public static var noresize: HTMLName { HTMLName(id: 252) }
    /// The name `noshade`.
    public static var noshade: HTMLName { HTMLName(id: 253) }
    /// The name `novalidate`.
    public static var novalidate: HTMLName { HTMLName(id: 254) }
    /// The name `nowrap`.
    public static var nowrap: HTMLName { HTMLName(id: 255) }
    /// The name `open`.
    public static var `open`: HTMLName { HTMLName(id: 256) }
    /// The name `optimum`.
    public static var optimum: HTMLName { HTMLName(id: 257) }
    /// The name `pattern`.
    public static var pattern: HTMLName { HTMLName(id: 258) }
    /// The name `ping`.
    public static var ping: HTMLName { HTMLName(id: 259) }
    /// The name `placeholder`.
    public static var placeholder: HTMLName { HTMLName(id: 260) }
    /// The name `playsinline`.
    public static var playsinline: HTMLName { HTMLName(id: 261) }
    /// The name `poster`.
    public static var poster: HTMLName { HTMLName(id: 262) }
    /// The name `preload`.
    public static var preload: HTMLName { HTMLName(id: 263) }
    /// The name `profile`.
    public static var profile: HTMLName { HTMLName(id: 264) }
    /// The name `prompt`.
    public static var prompt: HTMLName { HTMLName(id: 265) }
    /// The name `readonly`.
    public static var readonly: HTMLName { HTMLName(id: 266) }
    /// The name `referrerpolicy`.
    public static var referrerpolicy: HTMLName { HTMLName(id: 267) }
    /// The name `rel`.
    public static var rel: HTMLName { HTMLName(id: 268) }
    /// The name `required`.
    public static var required: HTMLName { HTMLName(id: 269) }
    /// The name `rev`.
    public static var rev: HTMLName { HTMLName(id: 270) }
    /// The name `reversed`.
    public static var reversed: HTMLName { HTMLName(id: 271) }
    /// The name `role`.
    public static var role: HTMLName { HTMLName(id: 272) }
    /// The name `rows`.
    public static var rows: HTMLName { HTMLName(id: 273) }
    /// The name `rowspan`.
    public static var rowspan: HTMLName { HTMLName(id: 274) }
    /// The name `rules`.
    public static var rules: HTMLName { HTMLName(id: 275) }
    /// The name `sandbox`.
    public static var sandbox: HTMLName { HTMLName(id: 276) }
    /// The name `scheme`.
    public static var scheme: HTMLName { HTMLName(id: 277) }
    /// The name `scope`.
    public static var scope: HTMLName { HTMLName(id: 278) }
    /// The name `scrolling`.
    public static var scrolling: HTMLName { HTMLName(id: 279) }
    /// The name `selected`.
    public static var selected: HTMLName { HTMLName(id: 280) }
    /// The name `shape`.
    public static var shape: HTMLName { HTMLName(id: 281) }
    /// The name `size`.
    public static var size: HTMLName { HTMLName(id: 282) }
    /// The name `sizes`.
    public static var sizes: HTMLName { HTMLName(id: 283) }
    /// The name `spellcheck`.
    public static var spellcheck: HTMLName { HTMLName(id: 284) }
    /// The name `src`.
    public static var src: HTMLName { HTMLName(id: 285) }
    /// The name `srcdoc`.
    public static var srcdoc: HTMLName { HTMLName(id: 286) }
    /// The name `srclang`.
    public static var srclang: HTMLName { HTMLName(id: 287) }
    /// The name `srcset`.
    public static var srcset: HTMLName { HTMLName(id: 288) }
    /// The name `standby`.
    public static var standby: HTMLName { HTMLName(id: 289) }
    /// The name `start`.
    public static var start: HTMLName { HTMLName(id: 290) }
    /// The name `step`.
    public static var step: HTMLName { HTMLName(id: 291) }
    /// The name `stroke`.
    public static var stroke: HTMLName { HTMLName(id: 292) }
    /// The name `tabindex`.
    public static var tabindex: HTMLName { HTMLName(id: 293) }
    /// The name `target`.
    public static var target: HTMLName { HTMLName(id: 294) }
    /// The name `text`.
    public static var text: HTMLName { HTMLName(id: 295) }
    /// The name `translate`.
    public static var translate: HTMLName { HTMLName(id: 296) }
    /// The name `type`.
    public static var type: HTMLName { HTMLName(id: 297) }
    /// The name `usemap`.
    public static var usemap: HTMLName { HTMLName(id: 298) }
    /// The name `valign`.
    public static var valign: HTMLName { HTMLName(id: 299) }
    /// The name `value`.
    public static var value: HTMLName { HTMLName(id: 300) }
    /// The name `valuetype`.
    public static var valuetype: HTMLName { HTMLName(id: 301) }
    /// The name `version`.
    public static var version: HTMLName { HTMLName(id: 302) }
    /// The name `vlink`.
    public static var vlink: HTMLName { HTMLName(id: 303) }
    /// The name `vspace`.
    public static var vspace: HTMLName { HTMLName(id: 304) }
    /// The name `width`.
    public static var width: HTMLName { HTMLName(id: 305) }
    /// The name `wrap`.
    public static var wrap: HTMLName { HTMLName(id: 306) }
    /// The name `actuate`.
    public static var actuate: HTMLName { HTMLName(id: 307) }
    /// The name `arcrole`.
    public static var arcrole: HTMLName { HTMLName(id: 308) }
    /// The name `show`.
    public static var show: HTMLName { HTMLName(id: 309) }
    /// The name `space`.
    public static var space: HTMLName { HTMLName(id: 310) }
    /// The name `circle`.
    public static var circle: HTMLName { HTMLName(id: 311) }
    /// The name `ellipse`.
    public static var ellipse: HTMLName { HTMLName(id: 312) }
    /// The name `g`.
    public static var g: HTMLName { HTMLName(id: 313) }
    /// The name `line`.
    public static var line: HTMLName { HTMLName(id: 314) }
    /// The name `path`.
    public static var path: HTMLName { HTMLName(id: 315) }
    /// The name `polygon`.
    public static var polygon: HTMLName { HTMLName(id: 316) }
    /// The name `polyline`.
    public static var polyline: HTMLName { HTMLName(id: 317) }
    /// The name `rect`.
    public static var rect: HTMLName { HTMLName(id: 318) }
    /// The name `stop`.
    public static var stop: HTMLName { HTMLName(id: 319) }
    /// The name `symbol`.
    public static var symbol: HTMLName { HTMLName(id: 320) }
    /// The name `use`.
    public static var use: HTMLName { HTMLName(id: 321) }
    /// The name `view`.
    public static var view: HTMLName { HTMLName(id: 322) }
    /// The name `annotation`.
    public static var annotation: HTMLName { HTMLName(id: 323) }
    /// The name `merror`.
    public static var merror: HTMLName { HTMLName(id: 324) }
    /// The name `mfenced`.
    public static var mfenced: HTMLName { HTMLName(id: 325) }
    /// The name `mfrac`.
    public static var mfrac: HTMLName { HTMLName(id: 326) }
    /// The name `mover`.
    public static var mover: HTMLName { HTMLName(id: 327) }
    /// The name `mpadded`.
    public static var mpadded: HTMLName { HTMLName(id: 328) }
    /// The name `mroot`.
    public static var mroot: HTMLName { HTMLName(id: 329) }
    /// The name `mrow`.
    public static var mrow: HTMLName { HTMLName(id: 330) }
    /// The name `msqrt`.
    public static var msqrt: HTMLName { HTMLName(id: 331) }
    /// The name `mstyle`.
    public static var mstyle: HTMLName { HTMLName(id: 332) }
    /// The name `msub`.
    public static var msub: HTMLName { HTMLName(id: 333) }
    /// The name `msup`.
    public static var msup: HTMLName { HTMLName(id: 334) }
    /// The name `mtable`.
    public static var mtable: HTMLName { HTMLName(id: 335) }
    /// The name `mtd`.
    public static var mtd: HTMLName { HTMLName(id: 336) }
    /// The name `mtr`.
    public static var mtr: HTMLName { HTMLName(id: 337) }
    /// The name `munder`.
    public static var munder: HTMLName { HTMLName(id: 338) }
    /// The name `semantics`.
    public static var semantics: HTMLName { HTMLName(id: 339) }
    /// The name `altGlyph`.
    public static var altGlyph: HTMLName { HTMLName(id: 340) }
    /// The name `altGlyphDef`.
    public static var altGlyphDef: HTMLName { HTMLName(id: 341) }
    /// The name `altGlyphItem`.
    public static var altGlyphItem: HTMLName { HTMLName(id: 342) }
    /// The name `animateColor`.
    public static var animateColor: HTMLName { HTMLName(id: 343) }
    /// The name `animateMotion`.
    public static var animateMotion: HTMLName { HTMLName(id: 344) }
    /// The name `animateTransform`.
    public static var animateTransform: HTMLName { HTMLName(id: 345) }
    /// The name `clipPath`.
    public static var clipPath: HTMLName { HTMLName(id: 346) }
    /// The name `feBlend`.
    public static var feBlend: HTMLName { HTMLName(id: 347) }
    /// The name `feColorMatrix`.
    public static var feColorMatrix: HTMLName { HTMLName(id: 348) }
    /// The name `feComponentTransfer`.
    public static var feComponentTransfer: HTMLName { HTMLName(id: 349) }
    /// The name `feComposite`.
    public static var feComposite: HTMLName { HTMLName(id: 350) }
    /// The name `feConvolveMatrix`.
    public static var feConvolveMatrix: HTMLName { HTMLName(id: 351) }
    /// The name `feDiffuseLighting`.
    public static var feDiffuseLighting: HTMLName { HTMLName(id: 352) }
    /// The name `feDisplacementMap`.
    public static var feDisplacementMap: HTMLName { HTMLName(id: 353) }
    /// The name `feDistantLight`.
    public static var feDistantLight: HTMLName { HTMLName(id: 354) }
    /// The name `feDropShadow`.
    public static var feDropShadow: HTMLName { HTMLName(id: 355) }
    /// The name `feFlood`.
    public static var feFlood: HTMLName { HTMLName(id: 356) }
    /// The name `feFuncA`.
    public static var feFuncA: HTMLName { HTMLName(id: 357) }
    /// The name `feFuncB`.
    public static var feFuncB: HTMLName { HTMLName(id: 358) }
    /// The name `feFuncG`.
    public static var feFuncG: HTMLName { HTMLName(id: 359) }
    /// The name `feFuncR`.
    public static var feFuncR: HTMLName { HTMLName(id: 360) }
    /// The name `feGaussianBlur`.
    public static var feGaussianBlur: HTMLName { HTMLName(id: 361) }
    /// The name `feImage`.
    public static var feImage: HTMLName { HTMLName(id: 362) }
    /// The name `feMerge`.
    public static var feMerge: HTMLName { HTMLName(id: 363) }
    /// The name `feMergeNode`.
    public static var feMergeNode: HTMLName { HTMLName(id: 364) }
    /// The name `feMorphology`.
    public static var feMorphology: HTMLName { HTMLName(id: 365) }
    /// The name `feOffset`.
    public static var feOffset: HTMLName { HTMLName(id: 366) }
    /// The name `fePointLight`.
    public static var fePointLight: HTMLName { HTMLName(id: 367) }
    /// The name `feSpecularLighting`.
    public static var feSpecularLighting: HTMLName { HTMLName(id: 368) }
    /// The name `feSpotLight`.
    public static var feSpotLight: HTMLName { HTMLName(id: 369) }
    /// The name `feTile`.
    public static var feTile: HTMLName { HTMLName(id: 370) }
    /// The name `feTurbulence`.
    public static var feTurbulence: HTMLName { HTMLName(id: 371) }
    /// The name `foreignObject`.
    public static var foreignObject: HTMLName { HTMLName(id: 372) }
    /// The name `glyphRef`.
    public static var glyphRef: HTMLName { HTMLName(id: 373) }
    /// The name `linearGradient`.
    public static var linearGradient: HTMLName { HTMLName(id: 374) }
    /// The name `radialGradient`.
    public static var radialGradient: HTMLName { HTMLName(id: 375) }
    /// The name `textPath`.
    public static var textPath: HTMLName { HTMLName(id: 376) }
    /// The name `attributeName`.
    public static var attributeName: HTMLName { HTMLName(id: 377) }
    /// The name `attributeType`.
    public static var attributeType: HTMLName { HTMLName(id: 378) }
    /// The name `baseFrequency`.
    public static var baseFrequency: HTMLName { HTMLName(id: 379) }
    /// The name `baseProfile`.
    public static var baseProfile: HTMLName { HTMLName(id: 380) }
    /// The name `calcMode`.
    public static var calcMode: HTMLName { HTMLName(id: 381) }
    /// The name `clipPathUnits`.
    public static var clipPathUnits: HTMLName { HTMLName(id: 382) }
    /// The name `diffuseConstant`.
    public static var diffuseConstant: HTMLName { HTMLName(id: 383) }
    /// The name `edgeMode`.
    public static var edgeMode: HTMLName { HTMLName(id: 384) }
    /// The name `filterUnits`.
    public static var filterUnits: HTMLName { HTMLName(id: 385) }
    /// The name `gradientTransform`.
    public static var gradientTransform: HTMLName { HTMLName(id: 386) }
    /// The name `gradientUnits`.
    public static var gradientUnits: HTMLName { HTMLName(id: 387) }
    /// The name `kernelMatrix`.
    public static var kernelMatrix: HTMLName { HTMLName(id: 388) }
    /// The name `kernelUnitLength`.
    public static var kernelUnitLength: HTMLName { HTMLName(id: 389) }
    /// The name `keyPoints`.
    public static var keyPoints: HTMLName { HTMLName(id: 390) }
    /// The name `keySplines`.
    public static var keySplines: HTMLName { HTMLName(id: 391) }
    /// The name `keyTimes`.
    public static var keyTimes: HTMLName { HTMLName(id: 392) }
    /// The name `lengthAdjust`.
    public static var lengthAdjust: HTMLName { HTMLName(id: 393) }
    /// The name `limitingConeAngle`.
    public static var limitingConeAngle: HTMLName { HTMLName(id: 394) }
    /// The name `markerHeight`.
    public static var markerHeight: HTMLName { HTMLName(id: 395) }
    /// The name `markerUnits`.
    public static var markerUnits: HTMLName { HTMLName(id: 396) }
    /// The name `markerWidth`.
    public static var markerWidth: HTMLName { HTMLName(id: 397) }
    /// The name `maskContentUnits`.
    public static var maskContentUnits: HTMLName { HTMLName(id: 398) }
    /// The name `maskUnits`.
    public static var maskUnits: HTMLName { HTMLName(id: 399) }
    /// The name `numOctaves`.
    public static var numOctaves: HTMLName { HTMLName(id: 400) }
    /// The name `pathLength`.
    public static var pathLength: HTMLName { HTMLName(id: 401) }
    /// The name `patternContentUnits`.
    public static var patternContentUnits: HTMLName { HTMLName(id: 402) }
    /// The name `patternTransform`.
    public static var patternTransform: HTMLName { HTMLName(id: 403) }
    /// The name `patternUnits`.
    public static var patternUnits: HTMLName { HTMLName(id: 404) }
    /// The name `pointsAtX`.
    public static var pointsAtX: HTMLName { HTMLName(id: 405) }
    /// The name `pointsAtY`.
    public static var pointsAtY: HTMLName { HTMLName(id: 406) }
    /// The name `pointsAtZ`.
    public static var pointsAtZ: HTMLName { HTMLName(id: 407) }
    /// The name `preserveAlpha`.
    public static var preserveAlpha: HTMLName { HTMLName(id: 408) }
    /// The name `preserveAspectRatio`.
    public static var preserveAspectRatio: HTMLName { HTMLName(id: 409) }
    /// The name `primitiveUnits`.
    public static var primitiveUnits: HTMLName { HTMLName(id: 410) }
    /// The name `refX`.
    public static var refX: HTMLName { HTMLName(id: 411) }
    /// The name `refY`.
    public static var refY: HTMLName { HTMLName(id: 412) }
    /// The name `repeatCount`.
    public static var repeatCount: HTMLName { HTMLName(id: 413) }
    /// The name `repeatDur`.
    public static var repeatDur: HTMLName { HTMLName(id: 414) }
    /// The name `requiredExtensions`.
    public static var requiredExtensions: HTMLName { HTMLName(id: 415) }
    /// The name `requiredFeatures`.
    public static var requiredFeatures: HTMLName { HTMLName(id: 416) }
    /// The name `specularConstant`.
    public static var specularConstant: HTMLName { HTMLName(id: 417) }
    /// The name `specularExponent`.
    public static var specularExponent: HTMLName { HTMLName(id: 418) }
    /// The name `spreadMethod`.
    public static var spreadMethod: HTMLName { HTMLName(id: 419) }
    /// The name `startOffset`.
    public static var startOffset: HTMLName { HTMLName(id: 420) }
    /// The name `stdDeviation`.
    public static var stdDeviation: HTMLName { HTMLName(id: 421) }
    /// The name `stitchTiles`.
    public static var stitchTiles: HTMLName { HTMLName(id: 422) }
    /// The name `surfaceScale`.
    public static var surfaceScale: HTMLName { HTMLName(id: 423) }
    /// The name `systemLanguage`.
    public static var systemLanguage: HTMLName { HTMLName(id: 424) }
    /// The name `tableValues`.
    public static var tableValues: HTMLName { HTMLName(id: 425) }
    /// The name `targetX`.
    public static var targetX: HTMLName { HTMLName(id: 426) }
    /// The name `targetY`.
    public static var targetY: HTMLName { HTMLName(id: 427) }
    /// The name `textLength`.
    public static var textLength: HTMLName { HTMLName(id: 428) }
    /// The name `viewBox`.
    public static var viewBox: HTMLName { HTMLName(id: 429) }
    /// The name `viewTarget`.
    public static var viewTarget: HTMLName { HTMLName(id: 430) }
    /// The name `xChannelSelector`.
    public static var xChannelSelector: HTMLName { HTMLName(id: 431) }
    /// The name `yChannelSelector`.
    public static var yChannelSelector: HTMLName { HTMLName(id: 432) }
    /// The name `zoomAndPan`.
    public static var zoomAndPan: HTMLName { HTMLName(id: 433) }
    /// The name `xmlns`.
    public static var xmlns: HTMLName { HTMLName(id: 443) }
    /// The name `xlink`.
    public static var xlink: HTMLName { HTMLName(id: 445) }
    /// The name `definitionURL`.
    public static var definitionURL: HTMLName { HTMLName(id: 446) }
}
