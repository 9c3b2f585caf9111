// An app only requires `import AdobeCompatibility`: the parts of cards and `Surface` already have Adobe's names, and
// `InboxError` is Adobe's, as a module's own names hide those that it exports.
@_exported public import InboxAdapters
@_exported public import InboxCards
@_exported public import InboxClient
@_exported public import InboxModel
@_exported public import InboxViews
