# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
"""plot.py SCRIPT DRAWING: prints what can't be read in a picture that nfaplot made, as SVG; SCRIPT is what
gnuplot was told. Texts must not lie on each other or on the plot, all must be within the picture, and
ticks must be short numbers. Then it prints the size of the smallest font and of the largest."""
import re
import sys
import xml.etree.ElementTree as tree

SVG = "{http://www.w3.org/2000/svg}"
script = open(sys.argv[1]).read()
root = tree.parse(sys.argv[2]).getroot()
width, height = float(root.get("width")), float(root.get("height"))
NARROW, WIDE = " .,:;'|!()[]ijlIftr", "mwMW%@"


def length(text):
    """How wide a text is, in ems, in a usual font without serifs."""
    return sum(0.36 if c in NARROW else 0.92 if c in WIDE else 0.7 if c.isupper() else 0.61 for c in text)


class Text:
    """A text, its font, and its box: left, top, right, bottom."""

    def __init__(self, group, text):
        self.text = "".join(text.itertext()).strip()
        self.font = float(group.get("font-size"))
        transform = group.get("transform")
        x, y = (float(n) for n in re.search(r"translate\(([-\d.]+),([-\d.]+)\)", transform).groups())
        long = length(self.text) * self.font
        before = {"start": 0, "middle": long / 2, "end": long}[group.get("text-anchor")]
        above, below = 0.72 * self.font, 0.2 * self.font
        self.upright = "rotate(-90" in transform
        if self.upright:
            self.box = x - above, y + before - long, x + below, y + before
        else:
            self.box = x - before, y - above, x - before + long, y + below

    def hits(self, box):
        return (self.box[0] < box[2] and box[0] < self.box[2] and
                self.box[1] < box[3] and box[1] < self.box[3])


texts = [Text(group, text) for group in root.iter(SVG + "g") if group.get("font-size")
         for text in group.findall(SVG + "text")]
texts = [t for t in texts if t.text]
for i, t in enumerate(texts):
    if t.box[0] < 0 or t.box[1] < 0 or t.box[2] > width or t.box[3] > height:
        print(f"'{t.text}' is not within the picture: {t.box}")
    for u in texts[:i]:
        if t.hits(u.box):
            print(f"'{u.text}' and '{t.text}' lie on each other")

# No text is on a plot. A picture may have two plots.
edges = {side: [float(n) for n in re.findall(rf"^set {side}margin at screen (\S+)", script, re.M)] for side in "lrtb"}
plots = [(width * left, height * (1 - top), width * right, height * (1 - bottom))
         for left, right, top, bottom in zip(*edges.values())]
if not plots:
    print("there is no plot")
for t in texts:
    if any(t.hits(plot) for plot in plots):
        print(f"'{t.text}' lies on the plot")

# Everything that is drawn is within the picture.
drawn = [(float(n), float(m)) for shape in root.iter() if shape.tag in (SVG + "path", SVG + "polygon")
         for n, m in re.findall(r"([-\d.]+),([-\d.]+)", shape.get("d") or shape.get("points"))
         if not shape.get("id")]
for shape in root.iter(SVG + "rect"):
    if not shape.get("id"):
        x, y = float(shape.get("x")), float(shape.get("y"))
        drawn += [(x, y), (x + float(shape.get("width")), y + float(shape.get("height")))]
outside = [p for p in drawn if not (-1 <= p[0] <= width + 1 and -1 <= p[1] <= height + 1)]
if outside:
    print(f"drawn outside of the picture: {outside[:3]}")

# Ticks: below the lowest plot, left of it, or right of it (the key of colours).
ticks = [t.text for t in texts if re.fullmatch(r"-?[\d.]+(e[-+]\d+)?", t.text)]
for axis, several in (("below", [t for t in texts if t.text in ticks and t.box[1] > plots[-1][3]]),
                      ("left", [t for t in texts if t.text[0].isdigit() and t.box[2] < plots[-1][0]])):
    if len(several) < 2:
        print(f"too few ticks {axis} of the plot: {[t.text for t in several]}")
for tick in ticks:
    if len(tick) > 6 or re.search(r"\.\d*0$", tick):
        print(f"a tick is '{tick}'")
if "palette" in script:
    key = [t.text for t in texts if t.box[0] > plots[-1][2] and not t.upright]
    if len(key) < 2 or not all(k.isdigit() for k in key):
        print(f"the key of the colours has {key}")
    if max((x for x, y in drawn if y < plots[-1][3]), default=0) < plots[-1][2] + 5:
        print("the key of the colours is not there")
if sum(t.upright for t in texts) < len(plots):
    print("an upright axis has no label")
fonts = [t.font for t in texts]
print(f"{min(fonts):.1f} {max(fonts):.1f}")
