#include "link/link.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "link/clean.h"
#include "link/cut.h"
#include "link/escape.h"
#include "scenario/field.h"

namespace megamem {

namespace {

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

// What a choice or a list of words means where only its case is another; the text itself elsewhere.
std::string in_table_case(const Field& field, std::string_view text) {
    if (field.type == FieldType::choice || field.type == FieldType::words) {
        std::string out;
        for (const std::string_view word : split(text, ',')) {
            const Choices choices = field.choices();
            const auto found = std::find_if(choices.begin(), choices.end(), [&](std::string_view choice) {
                return small_letters(choice) == small_letters(trim(word));
            });
            if (!out.empty()) out += ',';
            out += found == choices.end() ? word : *found;
        }
        return out;
    }
    const bool only_case = field.type == FieldType::boolean || small_letters(text) == kUnset;
    return only_case && field.type != FieldType::text ? small_letters(text) : std::string(text);
}

// Texts are encoded once and hold what they hold. Elsewhere a '%' or a space can only have come on the way.
std::string bare(std::string_view value) {
    std::string text(value);
    std::erase_if(text, [](char c) { return c == ' ' || c == '\t'; });
    return percent_decode(percent_decode(percent_decode(text)));
}

std::string field_value(const Field& field, std::string_view value) {
    switch (field.type) {
        case FieldType::layout: {
            const std::string text = percent_decode(value);
            // A layout in its own spelling, typed by hand or decoded by some program, is taken too.
            const bool itself = text.find_first_of("[]'\"|()* ") != std::string::npos;
            const bool plain = text == kUnset || itself || value.find('%') != std::string_view::npos;
            return plain ? text : expand_layout(text);
        }
        case FieldType::text: {
            std::string text(value);
            std::replace(text.begin(), text.end(), '+', ' ');  // as forms spell it; our own '+' is %2B
            return percent_decode(text);
        }
        case FieldType::layer_pattern:
            return expand_pattern(bare(value));
        case FieldType::words: {
            std::string text = bare(value);
            std::replace(text.begin(), text.end(), '.', ',');
            return text;
        }
        default:
            return bare(value);
    }
}

class Reader {
  public:
    ReadLink read(const std::vector<std::string>& pairs) {
        if (pairs.empty()) return std::move(link_);
        link_.empty = false;
        read_frame(pairs);
        for (const std::string& pair : pairs) {
            if (!is_frame_key(small_letters(key_of(pair)))) read_field(pair);
        }
        if (!ended_) judge_end(pairs);
        return std::move(link_);
    }

  private:
    // The link's own keys come before the fields, wherever they stand: the preset is what the fields change.
    void read_frame(const std::vector<std::string>& pairs) {
        LinkStamp stamp;
        std::string preset;
        for (const std::string& pair : pairs) {
            const std::string key = small_letters(key_of(pair));
            if (!is_frame_key(key)) continue;
            if (key != key_of(pair)) note_case(key_of(pair), key);
            const std::string value = percent_decode(value_of(pair));
            if (key == "z") ended_ = true;
            if (key == "v") read_version(value);
            if (key == "m") preset = value;
            if (key == "mt") read_method(value);
            if (is_view_key(key)) say(read_view(link_.view, key, value));
            if (is_stamp_key(key)) say(read_stamp(stamp, key, value));
        }
        // Either half says nothing without the other.
        if (!stamp.version.empty() && !stamp.gib.empty()) link_.stamp = std::move(stamp);
        read_preset(preset);
    }

    void read_version(std::string_view value) {
        const auto version = parse_unsigned(value);
        if (version && *version >= 1 && *version <= kLinkVersion) {
            version_ = static_cast<int>(*version);
        } else {
            drop("unknown_link_version", "v",
                 fmt::format("link version {} is not known here (this is {}); its values are read as far "
                             "as they go",
                             quote(value), kLinkVersion));
        }
    }

    void read_preset(const std::string& value) {
        link_.scenario = *link_base(version_, {});
        if (value.empty()) return;
        const std::string small = small_letters(value);
        for (const std::string& id : {value, small}) {
            auto base = link_base(version_, id);
            if (!base) continue;
            if (id != value) note_case(value, id);
            link_.preset = id;
            link_.scenario = std::move(*base);
            return;
        }
        drop("unknown_preset", "m",
             fmt::format("the preset {} is not known; the link is read without it", quote(value)));
    }

    void read_method(std::string_view name) {
        const std::string small = small_letters(name);
        if (const auto method = method_named(small)) {
            if (small != name) note_case(name, small);
            link_.method = *method;
        } else {
            drop("unknown_method", "mt",
                 fmt::format("the method {} is not known; the first one is shown", quote(name)));
        }
    }

    void read_field(const std::string& pair) {
        last_is_bad_ = false;
        const std::string_view given = key_of(pair);
        const std::string key = small_letters(given);
        const Field* field = find_field_by_link_key(key);
        if (field == nullptr) field = find_field(key);  // the long name, typed by hand
        if (field == nullptr) {
            link_.problems.push_back({Severity::info, "unknown_key", quote(given),
                                      fmt::format("unknown key {} in the link: ignored", quote(given))});
            return;
        }
        if (key != given) note_case(given, key);
        const bool again = std::find(seen_.begin(), seen_.end(), field) != seen_.end();
        if (again) {
            drop("duplicate_key", field->key,
                 fmt::format("{} stands more than once in the link; the last one counts", field->key));
        }
        seen_.push_back(field);
        if (field->type == FieldType::text && value_of(pair).find('+') != std::string_view::npos) {
            link_.problems.push_back({Severity::info, "plus_signs", std::string(field->key),
                                      fmt::format("\"+\" in {} is read as a space", field->key)});
        }
        const std::string text = field_value(*field, value_of(pair));
        const std::string meant = in_table_case(*field, text);
        const auto problem = set_text(link_.scenario, *field, meant);
        last_is_bad_ = problem.has_value();
        if (problem) {
            drop(problem->code, problem->path,
                 fmt::format("{}; kept {}", problem->message, quote(get_text(link_.scenario, *field))));
        } else if (meant != text) {
            note_case(text, meant);
        }
    }

    // Of a link without its end mark.
    void judge_end(const std::vector<std::string>& pairs) {
        constexpr std::size_t kFewPairs = 3;  // that a hand types, the version first
        const std::string& last = pairs.back();
        const bool is_field = !is_frame_key(small_letters(key_of(last)));
        if (looks_cut(last) || (is_field && last_is_bad_)) {
            drop("link_cut", "z",
                 fmt::format("the link looks cut: it ends in {}, and what came behind is lost", quote(last)));
        } else if (key_of(pairs[0]) == "v" && pairs.size() >= kFewPairs) {
            link_.problems.push_back(
                {Severity::info, "link_without_end", "z",
                 "the link has no end mark (z): if it was cut on its way, its last value may be wrong"});
        }
    }

    void note_case(std::string_view given, std::string_view meant) {
        link_.problems.push_back({Severity::info, "other_case", std::string(meant),
                                  fmt::format("{} in the link is read as {}", quote(given), quote(meant))});
    }

    void say(std::optional<Problem> problem) {
        if (problem) link_.problems.push_back(std::move(*problem));
    }

    void drop(std::string_view code, std::string_view path, std::string message) {
        link_.problems.push_back({Severity::warning, code, std::string(path), std::move(message)});
    }

    ReadLink link_;
    int version_ = kLinkVersion;
    bool ended_ = false;
    bool last_is_bad_ = false;  // the value of the last field
    std::vector<const Field*> seen_;
};

}  // namespace

bool is_frame_key(std::string_view key) {
    return std::find(kFrameKeys.begin(), kFrameKeys.end(), key) != kFrameKeys.end();
}

ReadLink read_pairs(const std::vector<std::string>& pairs) {
    return Reader().read(pairs);
}

ReadLink read_link(std::string_view text) {
    CleanLink link = clean_link(text);
    ReadLink read = read_pairs(link.pairs);
    read.problems.insert(read.problems.begin(), link.problems.begin(), link.problems.end());
    return read;
}

std::string write_link(const Scenario& scenario, std::string_view preset_id, Method method,
                       const LinkView& view, const std::optional<LinkStamp>& stamp) {
    const auto preset = link_base(kLinkVersion, preset_id);
    const Scenario base = preset ? *preset : *link_base(kLinkVersion, {});
    std::string link = fmt::format("#v={}", kLinkVersion);
    if (preset && !preset_id.empty()) link += fmt::format("&m={}", preset_id);
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
