#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The pages hold to the rules of CONTRIBUTING.md, "Texts": links lead somewhere, commands and flags exist, sentences
and pages are short where people learn, and no retired phrase comes back.

  tests/docs/pages.py PROGRAM          from the root of the repository; prints every offense and fails
"""
import pathlib
import re
import statistics
import subprocess
import sys

LEARN = ["README.md", "docs/index.md", "docs/guides/*.md", "docs/tutorials/*.md"]
LONGEST_SENTENCE, MEDIAN_SENTENCE, LONGEST_PAGE, WORDS_TO_LEARN = 30, 16, 2500, 15000
GENERATED = re.compile(r"<!-- (?:settings of [a-z-]+|commands|variations) -->.*?<!-- end -->", re.S)
# What nobody understood, or said of a thing what a person does: a phrase per line.
RETIRED = (pathlib.Path(__file__).parent / "retired.txt").read_text().splitlines()
CPP = re.compile(r"\bk[A-Z][a-z]+\w*|\b\w+::\w+|\bnullptr\b|\bu?int\d+_t\b")


def files(patterns):
    return sorted(path for pattern in patterns for path in pathlib.Path().glob(pattern))


def literals(source):
    """Texts of C++, those that go on in the next line as one, without lines of code; docstrings of Python."""
    source = re.sub(r'"\s*\n\s*"', "", re.sub(r"^\s*//.*$", "", source, flags=re.M))
    found = re.findall(r'"""(.+?)"""', source, re.S) or re.findall(r'"((?:[^"\\\n]|\\.)*)"', source)
    return [text for text in found if " " in text and not re.search(r"[;{}](\\n|$)|\(k|^\W*\w+ = ", text)]


def prose(text):
    """Paragraphs and list items without code, tables, headings, images; links as their words."""
    text = re.sub(r"```.*?```", "\n\n", GENERATED.sub("", text), flags=re.S)
    text = re.sub(r"!\[[^\]]*\]\([^)]*\)", "", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    lines = [line for line in text.splitlines() if not re.match(r"\s*(\||#|<)", line)]
    return re.split(r"\n\s*\n|\n\s*(?:[-*]|\d+\.) ", "\n" + "\n".join(lines))


def cells(text):
    """Of tables; those of README hold whole paragraphs."""
    rows = [line for line in GENERATED.sub("", text).splitlines() if line.startswith("|")]
    return [re.sub(r"\[([^\]]*)\]\([^)]*\)|<[^>]*>", r"\1", cell) for row in rows for cell in row.strip("| ").split(" | ")]


def sentences(paragraph):
    text = re.sub(r"`[^`]*`", "code", " ".join(paragraph.split()))
    return [s for s in re.split(r"(?<=[.!?→])\s+", text) if s]


def slug(heading):
    words = re.sub(r"[`*]|\[|\]\([^)]*\)", "", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", words).replace(" ", "-")


def anchors(text):
    return {slug(m) for m in re.findall(r"^#+ (.*)$", re.sub(r"```.*?```", "", text, flags=re.S), re.M)}


def links(page, text):
    plain = re.sub(r"```.*?```|`[^`]*`", "", text, flags=re.S)
    for target in re.findall(r"\]\(([^)\s]+)\)|src=\"([^\"]+)\"", plain):
        target = target[0] or target[1]
        if re.match(r"https?://", target):
            continue
        name, _, anchor = target.partition("#")
        other = (page.parent / name).resolve() if name else page.resolve()
        if not other.exists():
            yield f"{page}: no {target}"
        elif anchor and anchor not in anchors(other.read_text()):
            yield f"{page}: no heading for {target}"


class Commands:
    """Flags by command, from the manual page that the program prints."""

    def __init__(self, program):
        manual = subprocess.run([program, "--man"], capture_output=True, text=True, check=True).stdout.replace("\\-", "-")
        self.manual = manual
        self.flags, self.settings, self.common, into = {}, {}, set(), set()
        for line in manual.splitlines():
            if line.startswith(".SH"):
                into = self.common if "OPTIONS" in line else set()
            elif line.startswith(".SS fathom "):
                into = self.flags.setdefault(line[11:].strip(), set())
            elif line.startswith(".SS Settings of "):
                into = self.settings.setdefault(line[16:].strip(), set())
            elif line.startswith("\\fB-"):
                into.update(re.findall(r"\\fB(--?[\w-]+)\\fR", line))
        self.common |= {"--help", "--help-all", "--version", "--man", "--completion", "--candidates"}
        self.all = self.common.union(*self.flags.values(), *self.settings.values())

    def faults(self, line):
        words = re.split(r"\s+", re.sub(r"'[^']*'|\"[^\"]*\"", "X", line.split(" # ")[0]).strip())
        words = words[words.index("fathom") + 1:]
        if not words or words[0].startswith("-") or words[0] == "FILE...":
            name = "view"
        else:
            name = next((n for n in (" ".join(words[:2]), words[0]) if n in self.flags), "")
        if not name:
            group = any(n.startswith(words[0] + " ") for n in self.flags)
            if group and len(words) > 1 and re.fullmatch(r"[a-z-]+", words[1]):
                yield f"no command {' '.join(words[:2])}"
            name = "view"
        known = self.flags[name] | self.settings.get(name.split()[0], set()) | self.common
        if name == "view":
            known = self.all
        for word in words:
            flag = re.split(r"[=\[\]|,;]", word)[0]
            if re.fullmatch(r"--[a-z][\w-]*", flag) and flag not in known:
                yield f"{name}: no flag {flag}"


def commands(page, text, program):
    for block in re.findall(r"^```[a-z]*\n(.*?)^```|`([^`\n]+)`", text, re.S | re.M):
        for line in (block[0] or block[1]).replace("\\\n", " ").splitlines():
            for part in re.split(r" && |; |\$\(|\|\s", line):
                if re.match(r"\s*(mpirun .* )?fathom( |$)", part) and "COMMAND" not in part:
                    yield from (f"{page}: {fault}: {part.strip()}" for fault in program.faults(part))
    if page.parent.name == "guides":
        yield from (f"{page}: no command has {flag}" for flag in re.findall(r"`(--[a-z][\w-]*)", text) if flag not in program.all)


def spoken(where, text):
    """Of what the program says: retired phrases and names of C++."""
    plain = " ".join(text.lower().split())
    yield from (f"{where}: retired: {phrase}" for phrase in RETIRED if phrase in plain)
    yield from (f"{where}: a name of C++: {name}" for name in CPP.findall(text))


def learned(page, text):
    """Sentences whose median counts."""
    return [s for p in prose(text) + (cells(text) if page.name == "README.md" else []) for s in sentences(p)]


def too_long(page, text):
    for sentence in [s for p in prose(text) + cells(text) for s in sentences(p)]:
        if len(sentence.split()) > LONGEST_SENTENCE:
            yield f"{page}: {len(sentence.split())} words in a sentence: {sentence}"


def sources():
    generators = ("generator.cpp", "make_variations.cpp")
    return [path for suffix in ("*.cpp", "*.h", "*.py") for path in pathlib.Path("app").rglob(suffix) if path.name not in generators]


def main():
    program, offenses, lengths, words = Commands(sys.argv[1]), [], [], 0
    for page in files(["*.md", "docs/*.md", "docs/*/*.md"]):
        text = page.read_text()
        offenses += links(page, text)
        offenses += commands(page, text, program)
        count = len(GENERATED.sub("", text).split())
        if count > LONGEST_PAGE:
            offenses.append(f"{page}: expected at most {LONGEST_PAGE} words, found {count}")
        offenses += [f"{page}: retired: {phrase}" for phrase in RETIRED if phrase in " ".join(text.lower().split())]
    offenses += spoken("manual page", program.manual)
    for path in sources():
        offenses += spoken(path, " | ".join(literals(path.read_text())))
    for page in files(LEARN):
        text = page.read_text()
        offenses += too_long(page, text)
        lengths += [len(s.split()) for s in learned(page, text) if len(s.split()) > 2]
        words += len(text.split()) if page.parent.name in ("guides", "tutorials") else 0
    if statistics.median(lengths) > MEDIAN_SENTENCE:
        offenses.append(f"median sentence: expected {MEDIAN_SENTENCE} words, found {statistics.median(lengths)}")
    if words > WORDS_TO_LEARN:
        offenses.append(f"guides and tutorials: expected at most {WORDS_TO_LEARN} words, found {words}")
    print("\n".join(offenses) or f"{len(lengths)} sentences, median {statistics.median(lengths)} words; {words} words to learn from")
    return 1 if offenses else 0


if __name__ == "__main__":
    sys.exit(main())
