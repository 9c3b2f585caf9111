/// The statements of InboxKit's document about reading and writing that an app can rely on, paraphrased, in its order.
///
/// `scripts/coverage` reads this file, as it does `ZetaStatement`.
package enum InboxKitStatement: String {
    // MARK: - Inbox iOS SDK

    /// There are screens for composing, for a list of threads and for sign-in.
    case k01
    /// Threads, messages and attachments are objects with functions for their actions.
    case k02
    /// Contacts are objects too.
    case k03
    /// Fetched mail is stored in SQLite, and an app works offline with little effort.
    case k04
    /// An app can show a part of the mail, such as the inbox's threads with attachments, or keep the whole mailbox.
    case k05

    // MARK: - Example apps

    /// EightBall shows one unread thread of the inbox. When the device is shaken, in a terminal with Enter, it marks
    /// the thread read and shows another.
    case k06
    /// Triage shows threads from a provider, and the text of their messages, which `INMessageContentView` shows too.
    case k07
    /// SnapMail sends and receives photos.
    case k08
    /// Simple Mail shows the inbox from a provider, and archives threads.
    case k09

    // MARK: - Core principles

    /// A model posts a notification when it changes. An app can subscribe for one object.
    case k10
    /// A model has only one object at any time, shared by all references.
    case k11
    /// A model that is fetched again is the existing object, changed in place.
    case k12
    /// A provider returns the models of a view that the app defines.
    case k13
    /// A provider keeps its result as current as possible, and notifies a delegate.
    case k14
    /// A delegate's code also handles streamed changes.
    case k15

    // MARK: - Signing in

    /// People sign in to their provider in a browser, and a callback delivers the token.
    case k16

    // MARK: - Displaying threads

    /// A namespace represents an address to which the app has access.
    case k17
    /// A namespace creates providers of its threads.
    case k18
    /// A predicate, such as for unread threads, filters a provider's items.
    case k19
    /// One or several sort descriptors, such as by the date of the last message, order the items.
    case k20
    /// A provider starts by itself after it is set up.
    case k21
    /// The predicate applies to stored models as well as to the server's.
    case k22
    /// The predicate applies to models as they change: a thread that is marked read leaves the unread ones.
    case k23
    /// Predicates can be combined with AND.
    case k24
    /// Many properties can be used in predicates, but not all, such as a message's body.
    case k25

    // MARK: - The delegate

    /// The items are available at any time; there may be none right after the provider is created.
    case k26
    /// `providerDataChanged` is called when the items have changed substantially.
    case k27
    /// `dataAltered` is called with the changes when items were added, removed or modified.
    case k28
    /// A change set's index paths take a table from the old items to the new ones: deletions and insertions, then
    /// reloads.
    case k29
    /// `dataFetchFailed` is called with the error when the server can't be reached.
    case k30
    /// `providerDataFetchCompleted` is called when a refresh has ended, which was requested or caused by a new
    /// predicate or order.
    case k31

    // MARK: - In its source

    /// A thread can be archived and unarchived, marked read, starred and unstarred; a message can be marked read.
    case k32
    /// A thread can be marked seen, and a filter finds the unseen threads.
    case k33
    /// A draft is made in a namespace or in reply to a thread; it is saved, sent and deleted, and is unsent, sending,
    /// failed or sent.
    case k34
    /// A file is attached to a draft and uploaded with progress.
    case k35
}
