/// The page's script, served as a separate file. The page works without it; the script keeps the page up to date.
///
/// It fetches the page again and replaces the parts marked `data-live`. It generates no HTML: all content is rendered
/// by the server, including the placeholders that are shown if loading is slow.
package enum PageScript {
    package static let source = #"""
        "use strict";
        (() => {
          const { root, zone, events, failed, unreachable, offline, stale, loading } = document.body.dataset;

          // The server formats times in the reader's time zone from the next response on.
          const here = Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
          if (here !== zone) {
            const secure = location.protocol === "https:" ? "; Secure" : "";
            document.cookie =
              `inbox_zone=${encodeURIComponent(here)}; Path=${root}; Max-Age=31536000; SameSite=Lax${secure}`;
          }
          if (!events) return;

          const byId = (id) => document.getElementById(id);
          const focusable = "a[href], button, summary, input:not([type=hidden])";
          const list = byId("messages");

          // A problem is shown above the list until it is solved: that of the connection until the server answers.
          let problem = null;
          // The timer of the notice that the connection is lost, and the time at which it ends.
          let losing = null;
          // How many times the device has gone offline.
          let departures = 0;
          // Ends a problem, or that of a kind, after the server's answer. An answer to a request from before the device
          // went offline doesn't show that it is online.
          const solve = (answer, kind) => {
            const isOffline = answer.departures !== departures;
            if (!isOffline) {
              clearTimeout(losing?.timer);
              losing = null;
            }
            if (!problem || (kind && problem.kind !== kind) || (isOffline && problem.kind === "connection")) return;
            const held = problem.box.contains(document.activeElement);
            problem.box.remove();
            problem = null;
            if (held) (byId("heading") ?? byId("message")).focus({ preventScroll: true });
          };
          const report = (text, kind, retry) => {
            const box = byId("problem").content.firstElementChild.cloneNode(true);
            box.querySelector("span").textContent = text;
            box.querySelector("button").addEventListener("click", retry);
            const held = problem?.box.contains(document.activeElement);
            problem?.box.remove();
            problem = { box, kind };
            byId("notice").prepend(box);
            if (held) box.querySelector("button").focus({ preventScroll: true });
          };
          // A request that reaches no server fails with a TypeError.
          const reportFailure = (error, retry) => {
            report(error instanceof TypeError ? unreachable : failed, "action", retry);
          };
          // A connection that is back after a moment isn't missed. Of several causes, the first to be shown counts.
          const lose = (text, pause) => {
            const end = performance.now() + pause;
            if (losing && losing.end <= end) return;
            clearTimeout(losing?.timer);
            const timer = setTimeout(() => {
              losing = null;
              if (!problem && !document.hidden) report(navigator.onLine ? text : offline, "connection", refresh);
            }, pause);
            losing = { timer, end };
          };
          // Browsers open a stream again after 3 to 5 seconds.
          const reopening = 8000;

          // Returns a page rendered by the server, or null if it can't be loaded.
          const load = async (address, options = {}) => {
            const departed = departures;
            const answer = await fetch(address, { cache: "no-store", headers: { Accept: "text/html" }, ...options });
            if (answer.status === 401 || answer.status === 404) {
              location.reload();
              return null;
            }
            if (!answer.ok) return null;
            // The open page's policy applies to the new styles too, so they need its nonce.
            const text = (await answer.text()).replace(/(<style id="rules" nonce=")[^"]*/, `$1${byId("rules").nonce}`);
            const page = new DOMParser().parseFromString(text, "text/html");
            page.departures = departed;
            return page;
          };

          // If cards load for longer than a moment, placeholders are shown after the others, or in an empty list.
          // Existing cards are unchanged.
          const moment = 500;
          let clearBlanks = () => {};
          const putBlanks = (isMore) => {
            const cards = list?.querySelector("ul");
            if (!list || (cards && !isMore)) return;
            const others = [...list.childNodes];
            const blank = byId("blank").content.firstElementChild.cloneNode(true);
            const items = [...blank.children];
            if (cards) cards.append(...items);
            else list.replaceChildren(blank);
            list.setAttribute("aria-busy", "true");
            byId("waiting").textContent = loading;
            clearBlanks = () => {
              clearBlanks = () => {};
              if (cards) items.forEach((item) => item.remove());
              else list.replaceChildren(...others);
              list.removeAttribute("aria-busy");
              byId("waiting").textContent = "";
            };
          };
          const awaiting = async (coming, { isMore = false } = {}) => {
            const timer = setTimeout(putBlanks, moment, isMore);
            try {
              return await coming;
            } finally {
              clearTimeout(timer);
              clearBlanks();
            }
          };

          // The index of the focused element, for restoring the focus.
          const focusIndex = (item) => {
            const active = document.activeElement;
            if (!item.contains(active)) return null;
            return [...item.querySelectorAll(focusable)].indexOf(active);
          };

          // What a person has opened and selected stays so in a new version of a card.
          const keepState = (known, item) => {
            const menus = item.querySelectorAll("details");
            known.querySelectorAll("details").forEach((menu, index) => {
              if (menus[index]) menus[index].open = menu.open;
            });
            const times = item.querySelectorAll("input[type=datetime-local]");
            known.querySelectorAll("input[type=datetime-local]").forEach((time, index) => {
              if (times[index]) times[index].value = time.value;
            });
            const boxes = item.querySelectorAll("input[type=checkbox]");
            known.querySelectorAll("input[type=checkbox]").forEach((box, index) => {
              if (boxes[index]) boxes[index].checked = box.checked;
            });
          };

          // Cards that stay keep their elements, which preserves focus, position and images.
          const swapList = (old, fresh) => {
            const [mine, theirs] = [old.querySelector("ul"), fresh.querySelector("ul")];
            if (!mine || !theirs) {
              const held = old.contains(document.activeElement);
              if (old.innerHTML !== fresh.innerHTML) old.replaceChildren(...fresh.childNodes);
              if (held) byId("heading").focus({ preventScroll: true });
              return;
            }
            const seen = [...mine.children].find((item) => item.getBoundingClientRect().bottom > 0);
            const top = seen?.getBoundingClientRect().top;
            mine.className = theirs.className;
            const items = new Map([...mine.children].map((item) => [item.dataset.key, item]));
            const kept = new Set([...theirs.children].map((item) => item.dataset.key));
            let lost = null;
            for (const [key, item] of items) {
              if (kept.has(key)) continue;
              if (item.contains(document.activeElement)) {
                const near = (step) => {
                  let next = item[step];
                  while (next && !kept.has(next.dataset.key)) next = next[step];
                  return next;
                };
                lost = near("nextElementSibling") ?? near("previousElementSibling") ?? byId("heading");
              }
              item.remove();
              items.delete(key);
            }
            let place = mine.firstElementChild;
            for (const item of [...theirs.children]) {
              const known = items.get(item.dataset.key);
              if (known) keepState(known, item);
              // A date that is being typed has no value yet. The card follows with the next refresh.
              const active = document.activeElement;
              const isTyped = known?.contains(active) && active.type === "datetime-local";
              if (known && !isTyped && known.innerHTML !== item.innerHTML) {
                const index = focusIndex(known);
                known.replaceChildren(...item.childNodes);
                if (index !== null) known.querySelectorAll(focusable)[index]?.focus({ preventScroll: true });
              }
              if (known && known === place) place = place.nextElementSibling;
              else mine.insertBefore(known ?? item, place);
            }
            if (lost) (lost.querySelector(focusable) ?? lost).focus({ preventScroll: true });
            if (seen?.isConnected && scrollY > 0) scrollBy(0, seen.getBoundingClientRect().top - top);
          };

          const show = (fresh, { withNotice }) => {
            clearBlanks();
            byId("rules").textContent = fresh.getElementById("rules").textContent;
            document.title = fresh.title;
            for (const old of document.querySelectorAll("[data-live]")) {
              const other = fresh.getElementById(old.id);
              if (!other) return location.reload();
              if (old.dataset.live === "list") swapList(old, other);
              else if (old.innerHTML !== other.innerHTML) {
                const index = focusIndex(old);
                old.replaceChildren(...other.childNodes);
                if (index !== null) {
                  (old.querySelectorAll(focusable)[index] ?? byId("heading")).focus({ preventScroll: true });
                }
              }
            }
            // The bar of the selected messages is there while there are messages.
            const [bar, freshBar] = [byId("selection"), fresh.getElementById("selection")];
            if (bar && !freshBar) bar.remove();
            else if (!bar && freshBar) document.querySelector("main").append(freshBar);
            showSelection();
            const notice = fresh.getElementById("notice");
            if (!withNotice) return;
            solve(fresh);
            byId("notice").replaceChildren(...(problem ? [problem.box] : []), ...(notice?.childNodes ?? []));
          };

          // One refresh at a time. Events in the meantime cause another one.
          let isLoading = false;
          let isStale = false;
          const refresh = async () => {
            isStale = true;
            if (isLoading) return;
            isLoading = true;
            try {
              while (isStale) {
                isStale = false;
                const address = location.href;
                const fresh = await awaiting(load(address));
                // The list has grown in the meantime.
                if (location.href !== address) isStale = true;
                else if (fresh) {
                  show(fresh, { withNotice: false });
                  solve(fresh, "connection");
                } else lose(stale, 1000);
              }
            } catch {
              // The stream reconnects automatically and then refreshes.
              lose(unreachable, 1000);
            } finally {
              isLoading = false;
            }
          };

          const boxes = () => [...list.querySelectorAll(".ib-pick input")];
          // Only a script can select all, and announce how many are selected.
          const showSelection = () => {
            byId("select-all")?.removeAttribute("hidden");
            const label = byId("selected");
            const count = label ? boxes().filter((box) => box.checked).length : 0;
            if (label) label.querySelector("b").textContent = count;
            const text = count ? label.textContent : "";
            const status = byId("chosen");
            if (status && status.textContent !== text) status.textContent = text;
          };
          // The check box that was changed last.
          let picked = null;

          // After an action, the focus is on the notice; after an undo, on the first message that is back: one that
          // wasn't known.
          const goOn = (known, byKeyboard) => {
            const active = document.activeElement;
            const isSeen = active && active !== document.body && active !== byId("heading")
              && (active.checkVisibility?.() ?? true);
            if (isSeen) return;
            const back = known && [...list.querySelectorAll("li")].find((item) => !known.has(item.dataset.key));
            const notice = byId("notice");
            const target = back?.querySelector(focusable) ?? notice.querySelector("button") ?? notice;
            target.focus({ preventScroll: !byKeyboard });
          };
          if (list) {
            document.addEventListener("submit", (event) => {
              const form = event.target;
              if (!form.closest("#messages, #notice, #read-all, #selection")) return;
              event.preventDefault();
              // The Enter key in a field.
              if (event.submitter?.formMethod === "dialog") return;
              const button = event.submitter ?? form.querySelector("button:not([disabled])");
              perform(form, button, new URLSearchParams(new FormData(form, event.submitter)));
            });
            const perform = async (form, button, body) => {
              // A second click sends nothing.
              if (form.dataset.sending) return;
              form.dataset.sending = "true";
              button.setAttribute("aria-disabled", "true");
              const keys = [...list.querySelectorAll("li")].map((item) => item.dataset.key);
              const known = form.closest("#notice") ? new Set(keys) : null;
              const byKeyboard = button.matches(":focus-visible");
              try {
                const fresh = await load(form.getAttribute("action"), { method: "POST", body });
                if (!fresh) throw new Error();
                // What was refused can be corrected: the menu stays open, and the messages stay selected.
                if (!fresh.querySelector("#notice [data-refused]")) {
                  form.querySelectorAll("details[open]").forEach((menu) => { menu.open = false; });
                  if (form.matches("#selection")) form.reset();
                }
                show(fresh, { withNotice: true });
                goOn(known, byKeyboard);
              } catch (error) {
                reportFailure(error, () => perform(form, button, body));
              } finally {
                delete form.dataset.sending;
                button.removeAttribute("aria-disabled");
              }
            };
            document.addEventListener("click", (event) => {
              if (event.target.id === "select-all") {
                boxes().forEach((box) => { box.checked = true; });
                showSelection();
              }
              // A menu closes when the person continues elsewhere.
              const menu = event.target.closest?.("details");
              document.querySelectorAll("details[open]").forEach((other) => {
                if (other !== menu) other.open = false;
              });
            });
            document.addEventListener("keydown", (event) => {
              if (event.key !== "Escape") return;
              const menu = document.querySelector("details[open]");
              if (menu) {
                menu.open = false;
                menu.querySelector("summary").focus();
              } else if (boxes().some((box) => box.checked)) byId("selection")?.reset();
            });
            document.addEventListener("change", (event) => {
              if (!event.target.matches(".ib-pick input")) return;
              picked = event.target;
              showSelection();
            });
            // The bar is hidden with the end of the selection: the focus goes back to a message that was selected.
            document.addEventListener("reset", (event) => {
              if (!event.target.matches("#selection")) return;
              const isHeld = event.target.contains(document.activeElement) && !event.target.dataset.sending;
              const box = picked?.isConnected && picked.checked ? picked : boxes().find((box) => box.checked);
              setTimeout(() => {
                showSelection();
                if (isHeld) box?.focus({ preventScroll: true });
              });
            });
            showSelection();
            let isGrowing = false;
            document.addEventListener("click", async (event) => {
              const link = event.target.closest?.("#more .ib-grow");
              if (!link || event.metaKey || event.ctrlKey || event.shiftKey) return;
              event.preventDefault();
              if (isGrowing) return;
              isGrowing = true;
              const known = new Set([...list.querySelectorAll("li")].map((item) => item.dataset.key));
              try {
                const fresh = await awaiting(load(link.href), { isMore: true });
                if (!fresh) throw new Error();
                history.replaceState(null, "", link.href);
                show(fresh, { withNotice: false });
                solve(fresh);
                const first = [...list.querySelectorAll("li")].find((item) => !known.has(item.dataset.key));
                first?.querySelector(focusable)?.focus({ preventScroll: true });
              } catch (error) {
                reportFailure(error, () => byId("more").querySelector(".ib-grow")?.click());
              } finally {
                isGrowing = false;
              }
            });
          }

          // A hidden page closes its stream, and refreshes when it is shown.
          let stream = null;
          const listen = () => {
            if (document.hidden) {
              stream?.close();
              stream = null;
            } else if (!stream) {
              stream = new EventSource(events);
              stream.addEventListener("open", refresh);
              stream.addEventListener("state", refresh);
              // The stream was rejected, not just interrupted: the refresh shows a signed-out page.
              stream.addEventListener("error", () => {
                lose(unreachable, reopening);
                if (stream?.readyState !== EventSource.CLOSED) return;
                stream = null;
                refresh();
                setTimeout(listen, 10000);
              });
            }
          };
          document.addEventListener("visibilitychange", listen);
          addEventListener("offline", () => {
            departures += 1;
            lose(offline, 0);
          });
          addEventListener("online", () => refresh());
          addEventListener("pagehide", () => stream?.close());
          addEventListener("pageshow", (event) => {
            if (!event.persisted) return;
            stream = null;
            listen();
          });
          listen();
          // Updates texts such as "5 minutes ago".
          setInterval(() => document.hidden || refresh(), 60000);
        })();
        """#
}
