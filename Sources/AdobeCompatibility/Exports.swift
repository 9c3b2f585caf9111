// `import AdobeCompatibility` is enough for an app's calls: `InboxUI`, `InboxEventListening`, `ContentCardUI`,
// `EmptyStateSettings` and `Surface` have their names already. Not `InboxClient`, whose `InboxError` is another one.
@_exported public import InboxAdapters
@_exported public import InboxCards
@_exported public import InboxModel
@_exported public import InboxViews
