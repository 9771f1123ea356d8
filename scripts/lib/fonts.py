"""Cutting fonts down: shared by make-fonts and make-glyphs."""
import io

from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.ttLib.scaleUpem import scale_upem

# ASCII and the signs that the page's own texts use; a font gives those that it has. The regular face has the
# letters of Latin-1 too, for what a user types.
CHARACTERS = [chr(c) for c in range(0x20, 0x7F)] + list("·×±°−–—…‘’“”•≤≥≈→←↑↓✓\u00a0")
LATIN_1 = [chr(c) for c in range(0xA0, 0x100)]

# Columns of numbers must stand still: digits all take the same width, and the signs between them as well.
# Not the hyphen, whose fixed-width form is far too wide between words.
TABULAR = "0123456789+−.,:"


def characters_of(path):
    return {chr(code) for code in TTFont(path, lazy=True).getBestCmap()}


def tabular_forms(font):
    """Glyph names of the ordinary forms -> those of the `tnum` feature, if the font has it."""
    if "GSUB" not in font:
        return {}
    table = font["GSUB"].table
    lookups = {
        index
        for record in table.FeatureList.FeatureRecord
        if record.FeatureTag == "tnum"
        for index in record.Feature.LookupListIndex
    }
    forms = {}
    for index in sorted(lookups):
        for sub in table.LookupList.Lookup[index].SubTable:
            sub = getattr(sub, "ExtSubTable", sub)
            if sub.LookupType == 1:
                forms.update(sub.mapping)
    return forms


# Chinese characters fill their square less than Latin ones fill their line, and have more strokes: a little larger
# than the Latin ones beside them, they are as easy to read.
FALLBACK_SCALE = 1.12


# Steps in the width of an "m": at 26 pixels and three times the density, a step is a thirteenth of a pixel.
UNITS = 1024


def cut(path, characters, scale=1):
    font = TTFont(path, recalcTimestamp=False)
    # What reads the font makes these its size.
    for metric in ("ascent", "descent"):
        setattr(font["hhea"], metric, round(getattr(font["hhea"], metric) / scale))
    forms = tabular_forms(font)
    for table in font["cmap"].tables:
        if table.isUnicode() and hasattr(table, "cmap"):
            for character in TABULAR:
                glyph = table.cmap.get(ord(character))
                if glyph in forms:
                    table.cmap[ord(character)] = forms[glyph]

    options = subset.Options()
    options.hinting = False
    options.layout_features = []
    # What ImGui doesn't read; the licences stand beside the page.
    options.drop_tables += ["GSUB", "GPOS", "GDEF", "BASE", "STAT", "DSIG", "meta", "gasp", "vhea", "vmtx", "OS/2",
                            "name", "post"]
    options.notdef_outline = True
    options.recalc_timestamp = False
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=[ord(c) for c in characters])
    subsetter.subset(font)
    if font["head"].unitsPerEm > UNITS:
        scale_upem(font, UNITS)
    out = io.BytesIO()
    font.save(out)
    return out.getvalue()
