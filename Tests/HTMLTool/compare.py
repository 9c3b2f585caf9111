"""Compares trees of cleaned HTML, from the standard input, with those of html5lib and of lexbor (selectolax)."""

import json
import sys
from importlib.metadata import version

import html5lib
from selectolax.lexbor import LexborHTMLParser

HTML = "{http://www.w3.org/1999/xhtml}"
sys.setrecursionlimit(20_000)


def line(depth, text):
    return "| " + "  " * depth + text


def element(depth, name, attributes):
    written = [f'{key}="{"" if value is None else value}"' for key, value in attributes.items()]
    return [line(depth, f"<{name}>")] + [line(depth + 1, text) for text in sorted(written)]


def html5lib_tree(markup):
    """The tree of the markup in a body, as html5lib-tests writes trees."""
    builder = html5lib.getTreeBuilder("etree")
    fragment = html5lib.HTMLParser(tree=builder).parseFragment(markup, container="body")

    def lines(node, depth):
        found = [line(depth, f'"{node.text}"')] if node.text else []
        for child in node:
            if not isinstance(child.tag, str):
                found.append(line(depth, f"<!-- {child.text} -->"))
            else:
                found += element(depth, child.tag.removeprefix(HTML), child.attrib) + lines(child, depth + 1)
            if child.tail:
                found.append(line(depth, f'"{child.tail}"'))
        return found

    return "\n".join(lines(fragment, 0))


def lexbor_tree(markup):
    """The same of lexbor, which parses a whole document."""
    body = LexborHTMLParser("<!doctype html><body>" + markup).body

    def lines(node, depth):
        found = []
        child = node.first_child
        while child is not None:
            if child.is_text_node:
                found.append(line(depth, f'"{child.text_content}"'))
            elif child.is_element_node:
                found += element(depth, child.tag, child.attributes) + lines(child, depth + 1)
            else:
                found.append(line(depth, f"<!-- {child.comment_content} -->"))
            child = child.next
        return found

    return "\n".join(lines(body, 0))


def difference(ours, theirs):
    """The first lines that differ."""
    for number, (left, right) in enumerate(zip(ours.split("\n") + [""], theirs.split("\n") + [""])):
        if left != right:
            return f"line {number + 1}: {left!r}, theirs {right!r}"
    return "one of the trees has more lines"


cases = json.load(sys.stdin)
parsers = {
    f"html5lib {version('html5lib')}": html5lib_tree,
    f"selectolax {version('selectolax')} (lexbor)": lexbor_tree,
}
differing = set()
for name, parse in parsers.items():
    wrong = 0
    for case in cases:
        theirs = parse(case["markup"])
        if theirs != case["tree"]:
            wrong += 1
            differing.add(case["name"])
            print(f"check-html: {name}, {case['name']}: {difference(case['tree'], theirs)}", file=sys.stderr)
    print(f"check-html: {name}: {len(cases) - wrong} of {len(cases)} trees are ours")
print(f"check-html: {len(cases) - len(differing)} of {len(cases)} cleaned inputs have one tree in all three parsers")
sys.exit(bool(differing) or not cases)
