/// What InboxKit's document says an app can rely on, as far as reading goes, in our words and in its order.
///
/// `scripts/coverage` reads this file, as it does `ZetaStatement`.
package enum InboxKitStatement: String {
    // MARK: - Inbox iOS SDK

    /// There are screens for composing, for a list of threads and for signing in.
    ///
    /// Open: screens
    case k01
    /// Threads, messages and attachments are objects of the language, with functions for what one does with them.
    case k02
    /// Contacts are too.
    ///
    /// Open: contacts come with writing and sending
    case k03
    /// What was read is kept in SQLite, and an app works offline with little effort.
    case k04
    /// An app can show a part of the mail, such as the inbox's threads with attachments, or keep the whole mailbox.
    case k05

    // MARK: - Example apps

    /// EightBall shows one unread thread of the inbox; told so, it marks it read and shows another.
    case k06
    /// Triage shows threads from a provider, and what their messages say.
    case k07
    /// SnapMail sends and receives photos.
    ///
    /// Open: comes with writing and sending
    case k08
    /// Simple Mail shows the inbox from a provider, and archives threads.
    case k09

    // MARK: - Core principles

    /// A model tells of its changes by a notification, to which one can subscribe for one object.
    case k10
    /// There is only one object for a model at any time, whoever refers to it.
    case k11
    /// A model that is fetched again is the existing object, changed in place.
    case k12
    /// Models are had from a provider for the view that one defines.
    case k13
    /// A provider keeps its result as current as possible, and tells of it by a delegate.
    case k14
    /// A delegate's code also serves changes that are streamed.
    case k15

    // MARK: - Signing in

    /// People sign in to their provider in a browser, and a callback brings the token.
    ///
    /// Open: comes with writing and sending; an app signs in with a name and a password or a token
    case k16

    // MARK: - Displaying threads

    /// A namespace stands for an address to which the app has access.
    case k17
    /// A namespace makes providers of its threads.
    case k18
    /// A predicate, such as for unread threads, limits what a provider shows.
    case k19
    /// Sort descriptors, such as by the date of the last message, order it; there may be several.
    case k20
    /// A provider begins by itself once it is set up.
    case k21
    /// The predicate is applied to what is stored as well as to what the server has.
    case k22
    /// The predicate is applied to models as they change: a thread that is marked read leaves the unread ones.
    case k23
    /// Predicates can be joined by AND.
    case k24
    /// Many properties can be used in predicates, but not all, such as a message's body.
    case k25

    // MARK: - The delegate

    /// The items can be had at any time; there may be none right after the provider was made.
    case k26
    /// `providerDataChanged` comes when the items have changed substantially.
    case k27
    /// `dataAltered` comes when items were added, removed or modified, with what changed.
    case k28
    /// A change set's index paths take a table from the items before to those after: deletions and insertions, then
    /// what is reloaded.
    case k29
    /// `dataFetchFailed` comes with the error when the server can't be asked.
    case k30
    /// `providerDataFetchCompleted` comes when a refresh is over, which was asked for or follows from another predicate
    /// or order.
    case k31

    // MARK: - In its source

    /// A thread can be archived and brought back, marked read, starred and unstarred; a message can be marked read.
    case k32
    /// A thread can be marked seen, and threads can be filtered by what is unseen.
    case k33
}
