// An app only requires `import AdobeCompatibility`: the parts of cards and `Surface` already have Adobe's names.
// `InboxClient` isn't exported, since its `InboxError` is a different type.
@_exported public import InboxAdapters
@_exported public import InboxCards
@_exported public import InboxModel
@_exported public import InboxViews
