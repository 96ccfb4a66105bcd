# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
"""reports.py FORM REPORT: checks a report of nfamem in JSON or SARIF, and prints it as text.

FORM is json or sarif. What is printed from JSON is the report as nfamem writes it as text. From
SARIF it is the same without offsets, and with paths in place of names of files."""

import json
import os
import sys
import urllib.parse


def die(what, where):
    sys.exit(f"{what}: {json.dumps(where)[:300]}")


def strict(text):
    """Reads JSON; a member must not come twice."""

    def pairs(list_of_pairs):
        names = [name for name, _ in list_of_pairs]
        if len(set(names)) != len(names):
            die("a member comes twice", names)
        return dict(list_of_pairs)

    return json.loads(text, object_pairs_hook=pairs)


def frame_text(frames, i):
    frame = frames[i]
    outer = next((f for f in frames[i:] if not f.get("inlined")), None)
    if outer is None:
        die("an inlined frame without the function around it", frames)
    text = frame["function"] + " in " if frame.get("inlined") else ""
    if "function" in outer:
        text += f'{outer["function"]}+{outer["offset"]}'
    else:
        text += "?"
    if "line" in frame:
        text += f' ({os.path.basename(frame["file"])}:{frame["line"]})'
    # Text has a question mark for a byte that can't be shown.
    return text.replace("\ufffd", "?")


def print_stack(frames, first, what):
    if len(frames) > first and what:
        print(f"  {what}:")
    for i in range(first, len(frames)):
        print("    by " + frame_text(frames, i))


def from_json(lines, stacks):
    for line in lines:
        found = strict(line)
        head = found.get("check", found.get("label"))
        if "check" in found and "label" in found:
            head += f' ({found["label"]})'
        print(f'{head}: {found["message"]}')
        for part in "access", "before":
            if part in found and ", by " + frame_text(found[part]["stack"], 0) not in found["message"]:
                die("the message has not the innermost frame", found)
        block, made = found.get("block", {}).get("name", ""), found.get("allocated", [])
        if block.startswith("<"):
            source = frame_text(made, 0).rpartition(" (")[2] if made and "line" in made[0] else ""
            name = block[:-1] + (f" ({source}" if source else "") + ">"
            if name not in found["message"]:
                die("the message has not the source of the block", found)
        if not stacks:
            continue
        print_stack(found.get("access", {}).get("stack", []), 1, "")
        print_stack(found.get("before", {}).get("stack", []), 1, "before")
        print_stack(found.get("freed", []), 0, "freed")
        print_stack(found.get("allocated", []), 0, "allocated")


def need(value, kind, where):
    if not isinstance(value, kind):
        die(f"not {kind}", where)
    return value


def check_location(location):
    """Returns FILE:LINE, or nothing if there is no source."""
    need(location, dict, location)
    place = need(location.get("physicalLocation"), dict, location)
    if not need(place["address"]["relativeAddress"], int, place) >= 0:
        die("an address", place)
    for logical in location.get("logicalLocations", []):
        need(logical["fullyQualifiedName"], str, logical)
    if "message" in location and not location["message"]["text"]:
        die("an empty message", location)
    if "artifactLocation" not in place:
        return b""
    uri = place["artifactLocation"]["uri"]
    if not uri.isascii() or " " in uri:
        die("no URI", place)
    parts = urllib.parse.urlsplit(uri)
    if parts.scheme not in ("", "file") or parts.netloc or parts.query or parts.fragment:
        die("a URI", place)
    line = need(place["region"]["startLine"], int, place)
    if line < 1:
        die("a line", place)
    return urllib.parse.unquote_to_bytes(parts.path) + b":%d" % line


def say(data):
    sys.stdout.buffer.write(data + b"\n")


def from_sarif(text):
    document = strict(text)
    if document["version"] != "2.1.0" or len(document["runs"]) != 1:
        die("no document of SARIF 2.1.0", document)
    run = document["runs"][0]
    if run["tool"]["driver"]["name"] != "nfamem":
        die("another tool", run["tool"])
    rules = [rule["id"] for rule in run["tool"]["driver"].get("rules", [])]
    if len(set(rules)) != len(rules):
        die("two rules of a name", rules)
    for result in run["results"]:
        rule = result["ruleId"]
        if rule.split("/")[0] not in rules and rule not in rules:
            die("no such rule", rule)
        if result["level"] not in ("error", "warning", "note"):
            die("no level", result)
        head, _, label = rule.partition("/")
        say(f'{head}{f" ({label})" if label else ""}: {result["message"]["text"]}'.encode())
        if len(result["locations"]) > 1:
            die("more than one location", result)
        for location in result["locations"]:
            say(b"  at " + check_location(location))
        for stack in result.get("stacks", []):
            say(b"  " + need(stack["message"]["text"], str, stack).encode() + b":")
            if not stack["frames"]:
                die("a stack without frames", result)
            for frame in stack["frames"]:
                place = check_location(frame["location"])
                name = frame["location"].get("logicalLocations", [{"fullyQualifiedName": "?"}])
                say(b"    by " + name[0]["fullyQualifiedName"].encode() + b" " + place)
        for location in result.get("relatedLocations", []):
            say(b"  related: " + location["message"]["text"].encode() + b" " + check_location(location))
        for flow in result.get("codeFlows", []):
            if not flow["threadFlows"]:
                die("a code flow without threads", flow)
            for thread in flow["threadFlows"]:
                if not thread["locations"]:
                    die("a thread without locations", flow)
                for step in thread["locations"]:
                    say(b"  step: " + step["location"]["message"]["text"].encode() + b" " +
                        check_location(step["location"]))
                say(b"  end of a thread")


def main():
    form, name = sys.argv[1:3]
    with open(name, "rb") as file:
        text = file.read().decode("utf-8", "strict")
    if form == "json":
        from_json(text.splitlines(), len(sys.argv) < 4)
    else:
        from_sarif(text)


main()
