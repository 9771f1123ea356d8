#include "link/link.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "link/escape.h"
#include "scenario/field.h"
#include "scenario/presets.h"

namespace megamem {

namespace {

// What a browser and every chat program still carries, with room to spare; a layout of the largest size that
// fits is far below.
constexpr std::size_t kLongestLink = 64 * 1024;

// The value of a field as its link spells it, and back.
std::string link_value(const Scenario& scenario, const Field& field) {
    std::string text = get_text(scenario, field);
    switch (field.type) {
        case FieldType::layout: {
            if (text == kUnset) return text;
            if (auto shortened = shorten_layout(text)) return *shortened;
            // At least one %XX marks the long spelling.
            return fmt::format("%{:02X}", static_cast<unsigned char>(text[0])) +
                   percent_encode(text.substr(1));
        }
        case FieldType::layer_pattern:
            return shorten_pattern(text);
        case FieldType::words:  // dots between words: no word has one
            std::replace(text.begin(), text.end(), ',', '.');
            return text.empty() ? std::string(kUnset) : text;
        default:
            return percent_encode(text);
    }
}

std::string field_value(const Field& field, std::string_view value) {
    std::string text = percent_decode(value);
    switch (field.type) {
        case FieldType::layout: {
            // A layout in its own spelling, typed by hand or decoded by some program, is taken too.
            const bool itself = text.find_first_of("[]'\"|()* ") != std::string::npos;
            const bool plain = text == kUnset || itself || value.find('%') != std::string_view::npos;
            return plain ? text : expand_layout(text);
        }
        case FieldType::layer_pattern:
            return expand_pattern(text);
        case FieldType::words:
            std::replace(text.begin(), text.end(), '.', ',');
            return text;
        default:
            return text;
    }
}

class Reader {
  public:
    ReadLink read(std::string_view text) {
        if (text.size() > kLongestLink) {
            drop("link_too_long", "",
                 fmt::format("the link is {} bytes long; {} are allowed", text.size(), kLongestLink));
            return std::move(link_);
        }
        const std::string cleaned = clean_link(text);
        std::vector<Pair> pairs;
        for (const std::string_view piece : split(cleaned, '&')) {
            if (!piece.empty()) pairs.push_back(pair_of(piece));
        }
        if (pairs.empty()) return std::move(link_);
        link_.empty = false;
        read_frame(pairs);
        for (const Pair& pair : pairs) {
            if (!is_frame(pair.key)) read_field(pair);
        }
        return std::move(link_);
    }

  private:
    struct Pair {
        std::string_view key;
        std::string_view value;
    };

    static bool is_frame(std::string_view key) {
        return key == "v" || key == "m" || key == "mt" || key == "z" || is_view_key(key) || is_stamp_key(key);
    }

    static Pair pair_of(std::string_view piece) {
        const std::size_t equals = piece.find('=');
        if (equals == std::string_view::npos) return {piece, {}};
        return {piece.substr(0, equals), piece.substr(equals + 1)};
    }

    // The link's own keys come before the fields, wherever they stand: the preset is what the fields change.
    void read_frame(const std::vector<Pair>& pairs) {
        bool ended = false;
        LinkStamp stamp;
        for (const Pair& pair : pairs) {
            if (pair.key == "z") ended = true;
            if (pair.key == "v" && parse_unsigned(pair.value) != kLinkVersion) {
                drop("unknown_link_version", "v",
                     fmt::format("link version {} is not known here (this is {}); its values are read as far "
                                 "as they go",
                                 quote(pair.value), kLinkVersion));
            }
            if (pair.key == "mt") read_method(pair.value);
            if (is_view_key(pair.key)) say(read_view(link_.view, pair.key, percent_decode(pair.value)));
            if (is_stamp_key(pair.key)) say(read_stamp(stamp, pair.key, percent_decode(pair.value)));
            if (pair.key != "m") continue;
            const std::string id = percent_decode(pair.value);
            if (const ModelPreset* preset = find_preset(id)) {
                link_.preset = id;
                link_.scenario = scenario_of(*preset);
            } else {
                drop("unknown_preset", "m",
                     fmt::format("the preset {} is not known; the link is read without it", quote(id)));
            }
        }
        // Either half says nothing without the other.
        if (!stamp.version.empty() && !stamp.gib.empty()) link_.stamp = std::move(stamp);
        if (!ended) {
            link_.problems.push_back(
                {Severity::info, "link_without_end", "z",
                 "the link has no end mark (z): if it was cut on its way, its last value may be wrong"});
        }
    }

    void read_method(std::string_view name) {
        if (const auto method = method_named(name)) {
            link_.method = *method;
        } else {
            drop("unknown_method", "mt",
                 fmt::format("the method {} is not known; the first one is shown", quote(name)));
        }
    }

    void read_field(const Pair& pair) {
        const Field* field = find_field_by_link_key(pair.key);
        if (field == nullptr) field = find_field(pair.key);  // the long name, typed by hand
        if (field == nullptr) {
            drop("unknown_key", quote(pair.key),
                 fmt::format("unknown key {} in the link: ignored", quote(pair.key)));
            return;
        }
        const bool again = std::find(seen_.begin(), seen_.end(), field) != seen_.end();
        if (again) {
            drop("duplicate_key", field->key,
                 fmt::format("{} stands more than once in the link; the last one counts", field->key));
        }
        seen_.push_back(field);
        if (auto problem = set_text(link_.scenario, *field, field_value(*field, pair.value))) {
            drop(problem->code, problem->path,
                 fmt::format("{}; kept {}", problem->message, quote(get_text(link_.scenario, *field))));
        }
    }

    void say(std::optional<Problem> problem) {
        if (problem) link_.problems.push_back(std::move(*problem));
    }

    void drop(std::string_view code, std::string_view path, std::string message) {
        link_.problems.push_back({Severity::warning, code, std::string(path), std::move(message)});
    }

    ReadLink link_;
    std::vector<const Field*> seen_;
};

}  // namespace

// Drops the address before the hash and undoes what programs do to links on the way: "&amp;" for '&', ';' for
// '&', the whole hash percent-encoded, a full stop or bracket behind it.
std::string clean_link(std::string_view text) {
    text = trim(text);
    if (const std::size_t hash = text.find('#'); hash != std::string_view::npos) text.remove_prefix(hash + 1);
    std::string out(text);
    // A link has '=' in it; where it has none, it was encoded as a whole, perhaps more than once.
    for (int i = 0; i < 3 && out.find('=') == std::string::npos && out.find('%') != std::string::npos; ++i) {
        out = percent_decode(out);
    }
    for (std::size_t at = 0; (at = out.find("&amp;", at)) != std::string::npos; ++at)
        out.replace(at, 5, "&");
    std::replace(out.begin(), out.end(), ';', '&');
    if (out.starts_with('#')) out.erase(0, 1);
    while (!out.empty() && std::string_view(".,)>]}'\"!").find(out.back()) != std::string_view::npos)
        out.pop_back();
    return out;
}

ReadLink read_link(std::string_view text) {
    return Reader().read(text);
}

std::string write_link(const Scenario& scenario, std::string_view preset_id, Method method,
                       const LinkView& view, const std::optional<LinkStamp>& stamp) {
    const ModelPreset* preset = find_preset(preset_id);
    const Scenario base = preset != nullptr ? scenario_of(*preset) : Scenario{};
    std::string link = fmt::format("#v={}", kLinkVersion);
    if (preset != nullptr) link += fmt::format("&m={}", preset->id);
    if (method != Method::detailed) link += fmt::format("&mt={}", name_of(method));
    for (const Field& field : field_table()) {
        if (!equal(scenario, base, field))
            link += fmt::format("&{}={}", field.link_key, link_value(scenario, field));
    }
    link += link_text(view);
    if (stamp) link += link_text(*stamp);
    return link + "&z=1";
}

}  // namespace megamem
