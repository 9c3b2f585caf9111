// Written by scripts/generate-demo-samples. Don't edit it by hand.

/// The messages of a demo without a file: those of `Examples/demo.json`, and their pictures.
enum DemoSamples {
    /// The file's text.
    static let messages = """
        [
          {
            "to": {"everyone": true},
            "readBy": ["alice", "bob"],
            "message": {
              "title": "Welcome to Swallow Parcels",
              "body": "Here you see where your parcels are, and what they need from you.",
              "category": "news",
              "actions": [{"text": "How it works", "link": "https://swallow.example/start"}]
            }
          },
          {
            "to": {"person": "alice"},
            "message": {
              "title": "Please confirm your address",
              "body": "Is 12 Harbour Lane, flat 4, still right? Parcels wait at the depot until you say \
        so.",
              "category": "account",
              "priority": 10,
              "pinned": true,
              "actions": [
                {"id": "yes", "text": "Yes, it is", "type": "confirm", "value": "address-ok"},
                {"id": "change", "text": "Change it", "link": "swallow://account/address"}
              ]
            }
          },
          {
            "to": {"person": "alice"},
            "message": {
              "title": "Summer in the mountains",
              "templateId": "ImageOnly",
              "category": "news",
              "dismissButton": "circle",
              "link": "https://swallow.example/summer",
              "media": {
                "url": "{server}/inbox/pictures/mountains.svg",
                "alt": "Summer in the mountains: parcels for every hut"
              }
            }
          },
          {
            "to": {"person": "alice"},
            "readBy": ["alice"],
            "message": {
              "title": "Your parcel has left Rotterdam",
              "body": "From: Van Dijk Fietsen\\nWeight: 2.4 kg\\n\\nIt travels by train tonight and should \
        be with you on the day after tomorrow.",
              "category": "parcel",
              "groupKey": "SW-40117",
              "media": {
                "url": "{server}/inbox/pictures/parcel.svg",
                "darkUrl": "{server}/inbox/pictures/parcel-dark.svg",
                "alt": "A parcel"
              },
              "additionalData": {"parcel": "SW-40117", "step": "transit"}
            }
          },
          {
            "to": {"person": "alice"},
            "message": {
              "title": "What changes for parcels to other countries in the new year, and what stays as it \
        is",
              "body": "From January, parcels to countries outside the union need a customs form with the \
        value of each thing in them. You fill it in when you buy the label, and we print it for \
        you.\\n\\nLetters and parcels within the union stay as they are. Gifts between friends are free of \
        duty up to a value of 45 euros; please write “gift” and what it is, since “present” alone is sent \
        back by some offices.\\n\\nParcels that are under way at New Year are delivered under the rules of \
        the day on which you posted them.",
              "category": "news"
            }
          },
          {
            "to": {"person": "alice"},
            "message": {
              "title": "Your parcel is out for delivery 🚲",
              "body": "Our rider is on the way and rings between 14:00 and 16:00.",
              "category": "parcel",
              "groupKey": "SW-40117",
              "templateId": "LargeImage",
              "media": {
                "url": "{server}/inbox/pictures/map.svg",
                "darkUrl": "{server}/inbox/pictures/map-dark.svg",
                "alt": "A map: the rider is two streets away"
              },
              "actions": [
                {
                  "id": "track",
                  "text": "Follow the rider",
                  "link": "https://swallow.example/track/SW-40117",
                  "actionType": "webBrowser"
                },
                {"id": "later", "text": "Come tomorrow", "type": "reschedule", "value": "tomorrow"}
              ],
              "additionalData": {"parcel": "SW-40117", "step": "delivery"}
            }
          },
          {
            "to": {"person": "alice"},
            "message": {
              "title": "طردك جاهز للاستلام",
              "body": "يمكنك استلامه من نقطة الاستلام في شارع الميناء حتى الساعة الثامنة مساءً.",
              "category": "parcel"
            }
          },
          {
            "to": {"person": "alice"},
            "readBy": ["alice"],
            "message": {
              "title": "東京からの荷物が通関しました",
              "body": "明日の午前中にお届けする予定です。ご不在の場合は宅配ボックスに入れます。",
              "category": "parcel",
              "additionalData": {"parcel": "SW-41260", "step": "customs"}
            }
          },
          {
            "to": {"person": "alice"},
            "message": {
              "title": "Pickup code 4471",
              "body": "Show it at the counter. It works for two days; then this message expires.",
              "category": "parcel",
              "expiresAt": "+2d"
            }
          },
          {
            "to": {"person": "alice"},
            "message": {
              "title": "Your rider today is Femke",
              "body": "She has a red bicycle and your parcel.",
              "category": "parcel",
              "templateId": "Push",
              "media": {"url": "{server}/inbox/pictures/rider.svg", "alt": "A rider on a red bicycle"}
            }
          },
          {
            "to": {"person": "bob"},
            "message": {
              "title": "We missed you",
              "body": "Your parcel is with the neighbours at number 9.",
              "category": "parcel",
              "media": {
                "url": "{server}/inbox/pictures/parcel.svg",
                "darkUrl": "{server}/inbox/pictures/parcel-dark.svg",
                "alt": "A parcel"
              },
              "actions": [{"text": "That's not all right", "link": "https://swallow.example/help"}]
            }
          },
          {
            "to": {"people": ["bob", "chioma"]},
            "readBy": ["chioma"],
            "message": {
              "title": "Your invoice for last month",
              "body": "Nothing to do: it is paid by direct debit on the 15th.",
              "category": "account",
              "actions": [
                {
                  "text": "Open the invoice",
                  "link": "https://swallow.example/invoices/latest",
                  "actionType": "externalBrowser"
                }
              ]
            }
          },
          {
            "to": {"person": "chioma"},
            "message": {
              "title": "Returns: we have it",
              "body": "Your return has arrived at the shop. They pay you back within three days.",
              "category": "parcel",
              "templateId": "LargeImage",
              "media": {"url": "{server}/inbox/pictures/scale.svg", "alt": "A parcel with its label on a \
        scale"}
            }
          },
          {
            "to": {"person": "alice"},
            "message": {
              "title": "The rider is at your door",
              "body": "Delivered by itself, a minute after the demo began: deliverAt lies in the future.",
              "category": "parcel",
              "groupKey": "SW-40117",
              "deliverAt": "+1m"
            }
          },
          {
            "to": {"person": "alice"},
            "message": {
              "title": "Your parcel is at the neighbour's",
              "body": "Mr Okafor in number 14 has it. The photo of this message is missing on purpose.",
              "category": "parcel",
              "media": {
                "url": "{server}/inbox/pictures/deleted.svg",
                "alt": "A parcel in front of a green door"
              }
            }
          },
          {
            "to": {"person": "alice"},
            "snoozedBy": ["alice"],
            "message": {
              "title": "Rate your last delivery",
              "body": "Two questions, one minute.",
              "category": "account",
              "actions": [{"text": "Rate it", "link": "https://swallow.example/rate"}]
            }
          },
          {
            "to": {"people": ["alice", "bob"]},
            "readBy": ["alice"],
            "archivedBy": ["alice", "bob"],
            "message": {
              "title": "Your parcel was delivered on Friday",
              "body": "Signed for by a neighbour.",
              "category": "parcel"
            }
          },
          {
            "to": {"everyone": true},
            "message": {
              "title": "Riders rest on Monday",
              "body": "It is a holiday. What would come on Monday comes on Tuesday.",
              "category": "news"
            }
          }
        ]

        """

    /// The SVG texts by file name.
    static let pictures = [
        "map-dark.svg": """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 360"><rect width="640" height="360" \
        fill="#1d242c"/><path d="M0 300c120-40 200 20 320-8s220-60 320-30v98H0z" fill="#1f4560"/><rect \
        x="16" y="14" width="104" height="70" rx="10" fill="#2b343e"/><rect x="16" y="104" width="104" \
        height="74" rx="10" fill="#2b343e"/><rect x="16" y="198" width="104" height="62" rx="10" \
        fill="#2b343e"/><rect x="136" y="14" width="116" height="70" rx="10" fill="#2b343e"/><rect x="136" \
        y="104" width="116" height="74" rx="10" fill="#2b343e"/><rect x="136" y="198" width="116" \
        height="62" rx="10" fill="#2c4634"/><rect x="268" y="14" width="96" height="70" rx="10" \
        fill="#2b343e"/><rect x="268" y="104" width="96" height="74" rx="10" fill="#2b343e"/><rect x="268" \
        y="198" width="96" height="62" rx="10" fill="#2b343e"/><rect x="380" y="14" width="116" height="70" \
        rx="10" fill="#2c4634"/><rect x="380" y="104" width="116" height="74" rx="10" fill="#2b343e"/><rect \
        x="380" y="198" width="116" height="62" rx="10" fill="#2b343e"/><rect x="512" y="14" width="112" \
        height="70" rx="10" fill="#2b343e"/><rect x="512" y="104" width="112" height="74" rx="10" \
        fill="#2b343e"/><rect x="512" y="198" width="112" height="62" rx="10" fill="#2b343e"/><path d="M0 \
        288 640 40" stroke="#3a4653" stroke-width="18"/><path d="M128 238V94h252v94" fill="none" \
        stroke="#7fb0ff" stroke-width="8" stroke-linecap="round" stroke-linejoin="round" \
        stroke-dasharray="2 15"/><circle cx="128" cy="238" r="15" fill="#10161c"/><circle cx="128" cy="238" \
        r="9" fill="#7fb0ff"/><path d="M380 196c-18-26-27-40-27-54a27 27 0 0 1 54 0c0 14-9 28-27 54z" \
        fill="#f0766b"/><circle cx="380" cy="142" r="10" fill="#10161c"/></svg>

        """,
        "map.svg": """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 360"><rect width="640" height="360" \
        fill="#f4f1ea"/><path d="M0 300c120-40 200 20 320-8s220-60 320-30v98H0z" fill="#a9d3ee"/><rect \
        x="16" y="14" width="104" height="70" rx="10" fill="#e3ddd0"/><rect x="16" y="104" width="104" \
        height="74" rx="10" fill="#e3ddd0"/><rect x="16" y="198" width="104" height="62" rx="10" \
        fill="#e3ddd0"/><rect x="136" y="14" width="116" height="70" rx="10" fill="#e3ddd0"/><rect x="136" \
        y="104" width="116" height="74" rx="10" fill="#e3ddd0"/><rect x="136" y="198" width="116" \
        height="62" rx="10" fill="#cfe3bd"/><rect x="268" y="14" width="96" height="70" rx="10" \
        fill="#e3ddd0"/><rect x="268" y="104" width="96" height="74" rx="10" fill="#e3ddd0"/><rect x="268" \
        y="198" width="96" height="62" rx="10" fill="#e3ddd0"/><rect x="380" y="14" width="116" height="70" \
        rx="10" fill="#cfe3bd"/><rect x="380" y="104" width="116" height="74" rx="10" fill="#e3ddd0"/><rect \
        x="380" y="198" width="116" height="62" rx="10" fill="#e3ddd0"/><rect x="512" y="14" width="112" \
        height="70" rx="10" fill="#e3ddd0"/><rect x="512" y="104" width="112" height="74" rx="10" \
        fill="#e3ddd0"/><rect x="512" y="198" width="112" height="62" rx="10" fill="#e3ddd0"/><path d="M0 \
        288 640 40" stroke="#fffdf8" stroke-width="18"/><path d="M128 238V94h252v94" fill="none" \
        stroke="#2f6fde" stroke-width="8" stroke-linecap="round" stroke-linejoin="round" \
        stroke-dasharray="2 15"/><circle cx="128" cy="238" r="15" fill="#ffffff"/><circle cx="128" cy="238" \
        r="9" fill="#2f6fde"/><path d="M380 196c-18-26-27-40-27-54a27 27 0 0 1 54 0c0 14-9 28-27 54z" \
        fill="#d6453d"/><circle cx="380" cy="142" r="10" fill="#ffffff"/></svg>

        """,
        "mountains.svg": """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 320"><rect width="640" height="320" \
        fill="#8ec5ff"/><circle cx="500" cy="80" r="40" fill="#ffe08a"/><path d="M0 320 170 110l90 110 \
        110-150 270 250z" fill="#3f6f8f"/><path d="M0 320h640v-40c-120-50-220 20-330-10S80 240 0 270z" \
        fill="#4f9d69"/><path d="M370 70l42 40-30 6-14 22-22-18-18 6z" fill="#fff"/></svg>

        """,
        "parcel-dark.svg": """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 240"><rect width="320" height="240" \
        fill="#172a46"/><path d="M60 100 160 60l100 40v90l-100 40-100-40z" fill="#8f6030"/><path d="M60 \
        100l100 40 100-40-100-40z" fill="#b88349"/><path d="M160 140v90l100-40v-90z" fill="#7a5026"/><path \
        d="M105 82l100 40v36l18-7v-36L123 75z" fill="#d9c19c"/></svg>

        """,
        "parcel.svg": """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 240"><rect width="320" height="240" \
        fill="#dbeafe"/><path d="M60 100 160 60l100 40v90l-100 40-100-40z" fill="#c98b4b"/><path d="M60 \
        100l100 40 100-40-100-40z" fill="#e0a967"/><path d="M160 140v90l100-40v-90z" fill="#b47a3d"/><path \
        d="M105 82l100 40v36l18-7v-36L123 75z" fill="#f5e2c4"/></svg>

        """,
        "rider.svg": """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 240"><rect width="240" height="240" \
        fill="#fde7c7"/><path d="M0 186h240v54H0z" fill="#e8b979"/><g fill="none" stroke="#22303f" \
        stroke-width="7"><circle cx="66" cy="172" r="34"/><circle cx="178" cy="172" r="34"/></g><path \
        d="M66 172 100 118h58l20 54M100 118l26 54 32-54M66 172h60M158 118l-6-20h18" fill="none" \
        stroke="#d6453d" stroke-width="7" stroke-linecap="round" stroke-linejoin="round"/><path d="M96 112 \
        120 78l28 22M112 84l-2 40 22 30" fill="none" stroke="#2f5d8c" stroke-width="12" \
        stroke-linecap="round" stroke-linejoin="round"/><circle cx="132" cy="54" r="16" \
        fill="#8a5a3b"/><path d="M115 52a17 17 0 0 1 34-4z" fill="#22303f"/><rect x="50" y="62" width="50" \
        height="44" rx="6" fill="#2f8f6b"/><path d="M50 78h50" stroke="#bfe6d4" stroke-width="5"/></svg>

        """,
        "scale.svg": """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 240"><rect width="320" height="240" \
        fill="#e9e4f5"/><rect x="52" y="168" width="216" height="44" rx="10" fill="#5a5470"/><rect x="126" \
        y="178" width="68" height="24" rx="4" fill="#d8f0c8"/><path d="M136 190h12m6 0h12m6 0h12" \
        stroke="#3d5a2f" stroke-width="4"/><rect x="40" y="154" width="240" height="14" rx="7" \
        fill="#7d7697"/><rect x="86" y="60" width="148" height="94" rx="4" fill="#c98b4b"/><path d="M146 \
        60h28v94h-28z" fill="#e9c796"/><rect x="182" y="76" width="42" height="32" rx="2" \
        fill="#fffdf8"/><path d="M188 84h30M188 92h22M188 100h26" stroke="#8d8798" stroke-width="3"/></svg>

        """,
    ]
}
