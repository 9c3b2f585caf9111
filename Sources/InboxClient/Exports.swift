// What the facade's own declarations speak of: `import InboxClient` is enough to use them. Of Groundwork, only what a
// test may replace is public: clock, chance and transport.
@_exported public import Groundwork
@_exported public import InboxModel
@_exported public import Replica
