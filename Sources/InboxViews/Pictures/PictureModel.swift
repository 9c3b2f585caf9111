package import Groundwork
package import InboxClient
import Observation
import Foundation
import Replica

/// The picture of a view, from the web or from the device.
///
/// It is loaded while the view is on screen: a load that scrolling ends isn't a failure, and begins again when the view
/// reappears. After a failure it is tried again: after a growing pause, and at once when the connection to the inbox's
/// server returns, when the view reappears, and on request. The decoded picture is released when the view disappears.
@MainActor
@Observable
package final class PictureModel {
    /// The state of the picture.
    package enum State {
        /// Nothing yet.
        case loading
        /// The picture.
        case shown(DecodedPicture)
        /// It couldn't be loaded, and is tried again.
        case waiting
        /// It can't be shown: it is too large, isn't a picture, doesn't exist, or has an address that isn't fetched.
        case broken
    }

    /// The state of the picture.
    package private(set) var state = State.loading

    @ObservationIgnored private let inbox: Inbox
    @ObservationIgnored private let clock: any WallClock
    @ObservationIgnored private var address: String?
    @ObservationIgnored private var frame: PictureDisplaySize?
    /// The frame for which the shown picture was decoded.
    @ObservationIgnored private var decodedFrame: PictureDisplaySize?
    @ObservationIgnored private var failureCount = 0
    @ObservationIgnored private let loading = OwnedTask()
    @ObservationIgnored private let pausing = OwnedTask()
    @ObservationIgnored private let watching = OwnedTask()

    /// - Parameters:
    ///   - inbox: The inbox that loads the picture.
    ///   - clock: The clock of the pauses between attempts.
    package init(_ inbox: Inbox, clock: any WallClock = SystemClock()) {
        (self.inbox, self.clock) = (inbox, clock)
    }

    /// The seconds until a picture is tried again.
    ///
    /// - Parameter failures: The number of failures in a row.
    package static func pause(after failures: Int) -> Double {
        Double(min(2 << min(max(0, failures - 1), 10), 300))
    }

    /// Shows a picture: the view appears, its size or its picture changes. Another address replaces the picture; a
    /// larger frame has it decoded again.
    package func show(_ address: String, in frame: PictureDisplaySize) {
        let isOther = address != self.address
        (self.address, self.frame) = (address, frame)
        if isOther {
            stop()
            (state, decodedFrame, failureCount) = (.loading, nil, 0)
            return load()
        }
        switch state {
        case .loading: if !loading.isActive { load() }
        case .shown: if let decodedFrame, decodedFrame.isTooSmall(for: frame), !loading.isActive { load() }
        // It was away: a view on screen is called again only for another size.
        case .waiting: if !pausing.isActive, !loading.isActive { load() }
        case .broken: break
        }
    }

    /// Ends the load, and releases the picture: the view disappears.
    package func hide() {
        stop()
        decodedFrame = nil
        if case .shown = state { state = .loading }
        // It may be there when the view reappears.
        if case .broken = state { (state, address) = (.loading, nil) }
    }

    /// Tries a picture again at once, on the person's request.
    package func retry() {
        guard case .waiting = state else { return }
        stop()
        state = .loading
        load()
    }

    private func stop() {
        for task in [loading, pausing, watching] { task.cancel() }
    }

    private func load() {
        guard let address, let frame else { return }
        pausing.cancel()
        watching.cancel()
        loading.start { [weak self, inbox] in
            let state: State
            do {
                switch try await inbox.picture(at: address) {
                case .picture(let data):
                    state = await DecodedPicture.decode(data, for: frame).map(State.shown) ?? .broken
                case .unreachable: state = .waiting
                case .unusable: state = .broken
                }
            } catch let error as InboxError where error.code == .closed {
                state = .broken
            } catch {
                state = .waiting
            }
            guard !Task.isCancelled, let self else { return }
            loading.end()
            end(state, frame)
        }
    }

    private func end(_ new: State, _ frame: PictureDisplaySize) {
        switch new {
        case .shown:
            (state, decodedFrame, failureCount) = (new, frame, 0)
            // It may have become larger meanwhile.
            if let latest = self.frame, frame.isTooSmall(for: latest) { load() }
        case .waiting:
            failureCount += 1
            // A picture that is shown already stays.
            if decodedFrame == nil { state = new }
            wait()
        case .broken, .loading:
            if decodedFrame == nil { state = new }
        }
    }

    /// Waits until the picture is tried again: for the end of the pause, and for the connection.
    private func wait() {
        let time = clock.now.addingTimeInterval(Self.pause(after: failureCount))
        pausing.start { [weak self, clock] in
            guard (try? await clock.sleep(until: time)) != nil, !Task.isCancelled else { return }
            self?.load()
        }
        let states = inbox.connectionStates
        watching.start { [weak self] in
            var wasConnected: Bool?
            for await state in states {
                guard !Task.isCancelled, let self else { return }
                if state.isConnected, wasConnected == false { return load() }
                wasConnected = state.isConnected
            }
        }
    }
}

extension ConnectionState {
    /// Whether the server answers.
    fileprivate var isConnected: Bool {
        switch self {
        case .live, .polling: true
        case .idle, .connecting, .offline, .unauthorized, .otherPerson, .otherProcess, .closed: false
        }
    }
}
