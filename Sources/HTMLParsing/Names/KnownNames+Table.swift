// Written by scripts/generate-html-names. Don't edit it by hand.

extension KnownNames {
    /// The number of known names.
    static let count = 540

    /// The known names in the order of their ids. A space follows each.
    static let text: StaticString = """
        a abbr acronym address annotation-xml applet area article aside audio b base basefont bdi bdo bgsound \
        big blink blockquote body br button canvas caption center cite code col colgroup data datalist dd del \
        desc details dfn dialog dir div dl dt em embed fieldset figcaption figure font footer foreignobject \
        form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe image img input ins kbd \
        keygen label legend li link listing main malignmark map mark marquee math menu menuitem meta meter \
        mglyph mi mn mo ms mtext nav nobr noembed noframes noscript object ol optgroup option output p param \
        picture plaintext pre progress q rb rp rt rtc ruby s samp script search section select \
        selectedcontent slot small source spacer span strike strong style sub summary sup svg table tbody td \
        template textarea tfoot th thead time title tr track tt u ul var video wbr xmp accept accept-charset \
        accesskey action align alink allow allowfullscreen alt aria-hidden aria-label async autocomplete \
        autofocus autoplay axis background behavior bgcolor border bordercolor cellpadding cellspacing char \
        charoff charset checked class classid clear codebase codetype color cols colspan compact content \
        contenteditable controls coords crossorigin data-actiontype data-link datetime declare decoding \
        default defer definitionurl dirname direction disabled download draggable encoding enctype face fill \
        for formaction frameborder headers height hidden high href hreflang hspace http-equiv id inert \
        integrity is ismap itemid itemprop itemref itemscope itemtype kind lang language list loading \
        longdesc loop low marginheight marginwidth max maxlength media method min minlength multiple muted \
        name nohref nonce noresize noshade novalidate nowrap open optimum pattern ping placeholder \
        playsinline poster preload profile prompt readonly referrerpolicy rel required rev reversed role rows \
        rowspan rules sandbox scheme scope scrolling selected shape size sizes spellcheck src srcdoc srclang \
        srcset standby start step stroke tabindex target text translate type usemap valign value valuetype \
        version vlink vspace width wrap actuate arcrole show space circle ellipse g line path polygon \
        polyline rect stop symbol use view annotation merror mfenced mfrac mover mpadded mroot mrow msqrt \
        mstyle msub msup mtable mtd mtr munder semantics altGlyph altGlyphDef altGlyphItem animateColor \
        animateMotion animateTransform clipPath feBlend feColorMatrix feComponentTransfer feComposite \
        feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow feFlood feFuncA \
        feFuncB feFuncG feFuncR feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset fePointLight \
        feSpecularLighting feSpotLight feTile feTurbulence foreignObject glyphRef linearGradient \
        radialGradient textPath attributeName attributeType baseFrequency baseProfile calcMode clipPathUnits \
        diffuseConstant edgeMode filterUnits gradientTransform gradientUnits kernelMatrix kernelUnitLength \
        keyPoints keySplines keyTimes lengthAdjust limitingConeAngle markerHeight markerUnits markerWidth \
        maskContentUnits maskUnits numOctaves pathLength patternContentUnits patternTransform patternUnits \
        pointsAtX pointsAtY pointsAtZ preserveAlpha preserveAspectRatio primitiveUnits refX refY repeatCount \
        repeatDur requiredExtensions requiredFeatures specularConstant specularExponent spreadMethod \
        startOffset stdDeviation stitchTiles surfaceScale systemLanguage tableValues targetX targetY \
        textLength viewBox viewTarget xChannelSelector yChannelSelector zoomAndPan xlink:actuate \
        xlink:arcrole xlink:href xlink:role xlink:show xlink:title xlink:type xml:lang xml:space xmlns \
        xmlns:xlink xlink definitionURL altglyph altglyphdef altglyphitem animatecolor animatemotion \
        animatetransform clippath feblend fecolormatrix fecomponenttransfer fecomposite feconvolvematrix \
        fediffuselighting fedisplacementmap fedistantlight fedropshadow feflood fefunca fefuncb fefuncg \
        fefuncr fegaussianblur feimage femerge femergenode femorphology feoffset fepointlight \
        fespecularlighting fespotlight fetile feturbulence glyphref lineargradient radialgradient textpath \
        attributename attributetype basefrequency baseprofile calcmode clippathunits diffuseconstant edgemode \
        filterunits gradienttransform gradientunits kernelmatrix kernelunitlength keypoints keysplines \
        keytimes lengthadjust limitingconeangle markerheight markerunits markerwidth maskcontentunits \
        maskunits numoctaves pathlength patterncontentunits patterntransform patternunits pointsatx pointsaty \
        pointsatz preservealpha preserveaspectratio primitiveunits refx refy repeatcount repeatdur \
        requiredextensions requiredfeatures specularconstant specularexponent spreadmethod startoffset \
        stddeviation stitchtiles surfacescale systemlanguage tablevalues targetx targety textlength viewbox \
        viewtarget xchannelselector ychannelselector zoomandpan \

        """

    /// Returns the name that the standard gives an element of SVG, from its name in lowercase.
    static func adjustedSVGElement(_ id: UInt32) -> UInt32 {
        switch id {
        case 447: 340
        case 448: 341
        case 449: 342
        case 450: 343
        case 451: 344
        case 452: 345
        case 453: 346
        case 454: 347
        case 455: 348
        case 456: 349
        case 457: 350
        case 458: 351
        case 459: 352
        case 460: 353
        case 461: 354
        case 462: 355
        case 463: 356
        case 464: 357
        case 465: 358
        case 466: 359
        case 467: 360
        case 468: 361
        case 469: 362
        case 470: 363
        case 471: 364
        case 472: 365
        case 473: 366
        case 474: 367
        case 475: 368
        case 476: 369
        case 477: 370
        case 478: 371
        case 48: 372
        case 479: 373
        case 480: 374
        case 481: 375
        case 482: 376
        default: id
        }
    }

    /// Returns the name in lowercase of an element of SVG.
    static func unadjustedSVGElement(_ id: UInt32) -> UInt32 {
        switch id {
        case 340: 447
        case 341: 448
        case 342: 449
        case 343: 450
        case 344: 451
        case 345: 452
        case 346: 453
        case 347: 454
        case 348: 455
        case 349: 456
        case 350: 457
        case 351: 458
        case 352: 459
        case 353: 460
        case 354: 461
        case 355: 462
        case 356: 463
        case 357: 464
        case 358: 465
        case 359: 466
        case 360: 467
        case 361: 468
        case 362: 469
        case 363: 470
        case 364: 471
        case 365: 472
        case 366: 473
        case 367: 474
        case 368: 475
        case 369: 476
        case 370: 477
        case 371: 478
        case 372: 48
        case 373: 479
        case 374: 480
        case 375: 481
        case 376: 482
        default: id
        }
    }

    /// Returns the name that the standard gives an attribute of SVG, from its name in lowercase.
    static func adjustedSVGAttribute(_ id: UInt32) -> UInt32 {
        switch id {
        case 483: 377
        case 484: 378
        case 485: 379
        case 486: 380
        case 487: 381
        case 488: 382
        case 489: 383
        case 490: 384
        case 491: 385
        case 479: 373
        case 492: 386
        case 493: 387
        case 494: 388
        case 495: 389
        case 496: 390
        case 497: 391
        case 498: 392
        case 499: 393
        case 500: 394
        case 501: 395
        case 502: 396
        case 503: 397
        case 504: 398
        case 505: 399
        case 506: 400
        case 507: 401
        case 508: 402
        case 509: 403
        case 510: 404
        case 511: 405
        case 512: 406
        case 513: 407
        case 514: 408
        case 515: 409
        case 516: 410
        case 517: 411
        case 518: 412
        case 519: 413
        case 520: 414
        case 521: 415
        case 522: 416
        case 523: 417
        case 524: 418
        case 525: 419
        case 526: 420
        case 527: 421
        case 528: 422
        case 529: 423
        case 530: 424
        case 531: 425
        case 532: 426
        case 533: 427
        case 534: 428
        case 535: 429
        case 536: 430
        case 537: 431
        case 538: 432
        case 539: 433
        default: id
        }
    }

    /// Returns the name that the standard gives an attribute of MathML, from its name in lowercase.
    static func adjustedMathMLAttribute(_ id: UInt32) -> UInt32 {
        id == 200 ? 446 : id
    }

    /// Returns the namespace and the local name of an attribute of foreign content, or nil if it has none.
    static func namespacedAttribute(_ id: UInt32) -> (namespace: HTMLAttribute.Namespace, name: UInt32)? {
        switch id {
        case 434: (.xlink, 307)
        case 435: (.xlink, 308)
        case 436: (.xlink, 217)
        case 437: (.xlink, 272)
        case 438: (.xlink, 309)
        case 439: (.xlink, 142)
        case 440: (.xlink, 297)
        case 441: (.xml, 232)
        case 442: (.xml, 310)
        case 443: (.xmlns, 443)
        case 444: (.xmlns, 445)
        default: nil
        }
    }
}
