#include "link/clean.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "link/escape.h"
#include "link/link_pair.h"
#include "scenario/field.h"

namespace megamem {

namespace {

constexpr int kMostMarks = 16;  // of punctuation behind a link
constexpr int kMostLayers = 3;  // of percent-encoding, one around the other

// Zero-width space, word joiner, byte order mark, soft hyphen. Joiners that emoji need aren't among them.
constexpr std::array<std::string_view, 4> kInvisible = {"\u200B", "\u2060", "\uFEFF", "\u00AD"};

constexpr std::array<std::string_view, 13> kTrackers = {
    "from",   "isappinstalled", "appinstall", "fbclid", "gclid", "msclkid",  "spm",
    "nsukey", "wxfrom",         "scene",      "igshid", "ref",   "vd_source"};
constexpr std::array<std::string_view, 3> kTrackerFamilies = {"utm_", "share_", "mc_"};

constexpr std::array<std::string_view, 22> kPunctuation = {".",  ",",  "!",  "?",  ":",  ">",  "*",  "。",
                                                           "，", "）", "」", "』", "】", "》", "！", "？",
                                                           "：", "；", "、", "…",  "”",  "’"};

// Closing ones are the link's own where they have their opening one.
constexpr std::array<std::string_view, 3> kBrackets = {"()", "[]", "{}"};

bool is_break(char c) {
    return c == '\n' || c == '\r';
}

bool replace_all(std::string& text, std::string_view from, std::string_view to) {
    const std::size_t first = text.find(from);
    if (first == std::string::npos) return false;
    std::string out = text.substr(0, first);
    for (std::size_t at = first; at < text.size();) {
        if (std::string_view(text).substr(at).starts_with(from)) {
            out += to;
            at += from.size();
        } else {
            out += text[at++];
        }
    }
    text = std::move(out);
    return true;
}

bool is_tracker(std::string_view key) {
    const std::string small = small_letters(key);
    return std::find(kTrackers.begin(), kTrackers.end(), small) != kTrackers.end() ||
           std::any_of(kTrackerFamilies.begin(), kTrackerFamilies.end(),
                       [&](std::string_view family) { return small.starts_with(family); });
}

const Field* field_of(std::string_view key) {
    const std::string small = small_letters(key);
    std::string_view name = small;
    if (name.starts_with(kComparedPrefix)) name.remove_prefix(kComparedPrefix.size());
    const Field* field = find_field_by_link_key(name);
    return field != nullptr ? field : find_field(name);
}

// Values in which "%26" is a character of the text and no separator.
bool holds_text(std::string_view key) {
    const Field* field = field_of(key);
    return key == "at" ||
           (field != nullptr && (field->type == FieldType::text || field->type == FieldType::layout));
}

class Cleaner {
  public:
    CleanLink clean(std::string_view raw) {
        std::string text(trim(raw));
        drop_invisible(text);
        join_lines(text);
        undo_entities(text);
        if (const std::size_t hash = text.find('#'); hash != std::string::npos) text.erase(0, hash + 1);
        drop_punctuation(text);
        take(text, 0);
        if (link_.pairs.empty()) return {};
        if (!trackers_.empty()) {
            note("tracking_keys",
                 fmt::format("{} isn't the link's own: ignored", fmt::join(trackers_, ", ")));
        }
        return std::move(link_);
    }

  private:
    void drop_invisible(std::string& text) {
        bool found = false;
        for (const std::string_view character : kInvisible)
            found = replace_all(text, character, "") || found;
        if (found) note("invisible_characters", "invisible characters in the link are left out");
    }

    // Mail programs break lines, some with a '=' before the break. That '=' belongs to the link only where
    // its pair has no other.
    void join_lines(std::string& text) {
        if (std::none_of(text.begin(), text.end(), is_break)) return;
        std::string out;
        std::size_t pair_at = 0;  // in `out`
        for (std::size_t i = 0; i < text.size(); ++i) {
            if (!is_break(text[i])) {
                out += text[i];
                if (text[i] == '&' || text[i] == ';' || text[i] == '#') pair_at = out.size();
                continue;
            }
            while (i + 1 < text.size() &&
                   std::string_view("\r\n \t").find(text[i + 1]) != std::string_view::npos)
                ++i;
            if (!out.ends_with('=')) continue;
            const std::size_t next = text.find_first_of("&;=", i + 1);
            const bool again = next != std::string::npos && text[next] == '=';
            if (again || out.find('=', pair_at) + 1 < out.size()) out.pop_back();
        }
        text = std::move(out);
        note("line_breaks", "line breaks in the link are left out");
    }

    void undo_entities(std::string& text) {
        bool found = false;
        for (const std::string_view entity : {"&#38;", "&#x26;", "&#038;"})
            found = replace_all(text, entity, "&") || found;
        for (int i = 0; i < kMostLayers && replace_all(text, "&amp;", "&"); ++i)
            found = true;
        if (found) note("html_entities", "\"&amp;\" in the link is read as \"&\"");
    }

    void drop_punctuation(std::string& text) {
        const std::size_t before = text.size();
        for (int i = 0; i < kMostMarks && drop_last(text); ++i) {
        }
        if (text.size() < before) note("punctuation_behind", "punctuation behind the link is left out");
    }

    static bool drop_last(std::string& text) {
        for (const std::string_view mark : kPunctuation) {
            if (!text.ends_with(mark)) continue;
            text.resize(text.size() - mark.size());
            return true;
        }
        const std::string_view last = std::string_view(text).substr(text.find_last_of("&;") + 1);
        const auto count = [&](char c) { return std::count(last.begin(), last.end(), c); };
        for (const std::string_view pair : kBrackets) {
            if (!text.ends_with(pair[1]) || count(pair[1]) <= count(pair[0])) continue;
            text.pop_back();
            return true;
        }
        for (const char mark : {'"', '\'', '`'}) {
            if (!text.ends_with(mark) || count(mark) % 2 == 0) continue;
            text.pop_back();
            return true;
        }
        return false;
    }

    // Pairs of a text that has been decoded so many times.
    void take(std::string& text, int layers) {
        if (replace_all(text, ";", "&")) note("semicolons", "\";\" in the link is read as \"&\"");
        for (const std::string_view piece : split(text, '&'))
            take_piece(trim(piece), layers);
    }

    void take_piece(std::string_view piece, int layers) {
        while (!piece.empty()) {
            if (layers < kMostLayers && is_encoded(piece)) {
                take_encoded(piece, layers);
                return;
            }
            const Cut cut = first_cut(piece);
            take_pair(piece.substr(0, cut.at));
            piece = cut.at == std::string_view::npos ? std::string_view{} : piece.substr(cut.at + cut.length);
        }
    }

    void take_encoded(std::string_view piece, int layers) {
        note_encoded();
        std::string decoded = percent_decode(piece);
        undo_entities(decoded);
        // The address before it may have been encoded along with it.
        const std::size_t hash = decoded.find('#');
        if (begins_with_address(decoded, hash)) decoded.erase(0, hash + 1);
        take(decoded, layers + 1);
    }

    void take_pair(std::string_view pair) {
        if (pair.empty()) return;
        const std::string_view key = key_of(pair);
        if (is_tracker(key) && !is_link_key(key)) {
            trackers_.push_back(quote(key));
        } else {
            link_.pairs.emplace_back(pair);
        }
    }

    // Where another pair begins inside a piece.
    struct Cut {
        std::size_t at = std::string_view::npos;
        std::size_t length = 0;  // of what is between them
    };

    Cut first_cut(std::string_view piece) {
        // Who counts clicks may put its own behind the hash too.
        const std::size_t query = piece.find('?');
        if (query != std::string_view::npos && is_tracker(key_of(piece.substr(query + 1)))) return {query, 1};
        const std::size_t separator = encoded_separator(piece);
        if (separator == std::string_view::npos) return {};
        note_encoded();
        return {separator, 3};
    }

    void note_encoded() {
        note("link_encoded", "the link, or a part of it, was percent-encoded once more: decoded");
    }

    static bool begins_with_address(std::string_view decoded, std::size_t hash) {
        return hash != std::string_view::npos &&
               (hash == 0 || decoded.starts_with("http://") || decoded.starts_with("https://"));
    }

    // A pair whose '=' is no '=' any more.
    static bool is_encoded(std::string_view piece) {
        if (piece.find('=') != std::string_view::npos) return false;
        const std::string small = small_letters(piece);
        return small.find("%3d") != std::string::npos || small.find("%253d") != std::string::npos ||
               small.find("%25253d") != std::string::npos;
    }

    // "%26" before another pair of the link's, in a value that can't hold one.
    static std::size_t encoded_separator(std::string_view piece) {
        if (holds_text(small_letters(key_of(piece)))) return std::string_view::npos;
        for (std::size_t at = piece.find("%26"); at != std::string_view::npos;
             at = piece.find("%26", at + 3)) {
            const std::string_view rest = piece.substr(at + 3);
            const std::size_t end = rest.find_first_of("=%");
            if (end != std::string_view::npos && is_link_key(rest.substr(0, end))) return at;
        }
        return std::string_view::npos;
    }

    void note(std::string_view code, std::string message) {
        const auto same = [&](const Problem& p) { return p.code == code; };
        if (std::any_of(link_.problems.begin(), link_.problems.end(), same)) return;
        link_.problems.push_back({Severity::info, code, "", std::move(message)});
    }

    CleanLink link_;
    std::vector<std::string> trackers_;
};

}  // namespace

std::string small_letters(std::string_view text) {
    std::string out(text);
    for (char& c : out) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return out;
}

std::string_view key_of(std::string_view pair) {
    return trim(pair.substr(0, pair.find('=')));
}

std::string_view value_of(std::string_view pair) {
    const std::size_t equals = pair.find('=');
    return equals == std::string_view::npos ? std::string_view{} : trim(pair.substr(equals + 1));
}

bool is_link_key(std::string_view key) {
    if (field_of(key) != nullptr) return true;
    std::string small = small_letters(key);
    if (small.starts_with(kComparedPrefix)) small.erase(0, kComparedPrefix.size());
    return is_frame_key(small);
}

CleanLink clean_link(std::string_view text) {
    if (text.size() > kLongestLink) {
        return {{},
                {{Severity::warning, "link_too_long", "",
                  fmt::format("the link is {} bytes long; {} are allowed", text.size(), kLongestLink)}}};
    }
    return Cleaner().clean(text);
}

}  // namespace megamem
