public import InboxCards
public import MailSignIn

/// The texts of a sign-in, in the person's language.
extension CardTexts {
    /// Returns the text of a step; nil for the one in which the address is entered.
    public func text(of state: SignInState) -> String? {
        switch state {
        case .address: nil
        case .findingServer: self[.findingServer]
        case .asking(let host): filled(.hostQuestion, with: host)
        case .inBrowser: self[.inBrowser]
        case .finishing: self[.finishingSignIn]
        case .signedIn(let address): filled(.signedInAs, with: address)
        case .failed(let error): text(of: error)
        }
    }

    /// Returns why a sign-in has failed, and what to do about it. Each kind of failure has its own text.
    public func text(of error: SignInError) -> String {
        switch error.code {
        case .invalidAddress: self[.invalidMailAddress]
        case .denied: self[.accessDenied]
        case .refused: self[.signInRefused]
        case .wrongIssuer: self[.wrongIssuer]
        case .invalidRedirect: self[.wrongRedirect]
        case .expired: self[.signInExpired]
        case .notConnected: self[.noNetwork]
        case .timedOut: self[.serverTimedOut]
        case .noJMAP: self[.noMailServer]
        case .onlyIMAP: self[.oldMailServer]
        case .noAuthorizationServer: self[.noBrowserSignIn]
        case .noRegistration: self[.appNotRegistered]
        case .invalidAnswer: self[.unreadableAnswer]
        case .serverError: self[.serverFailed]
        case .noBrowser: self[.noBrowser]
        case .signInRequired, .signedOut: self[.signInAgain]
        case .storage: self[.signInNotStored]
        default: self[.actionFailed]
        }
    }
}
