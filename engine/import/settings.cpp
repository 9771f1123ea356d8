#include "import/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <unordered_map>

#include "base/text.h"

namespace megamem {

namespace {

using Kind = YamlNode::Kind;

constexpr int kDeepestPlaceholder = 8;
constexpr std::size_t kLongestValue = 1
                                      << 18;  // of a list as text, and of a value with placeholders filled in
constexpr std::size_t kLongestPath = 400;
constexpr std::size_t kMostFilled = 5'000'000;  // bytes that all placeholders together may add

bool is_bare(std::string_view text) {
    if (text == "True" || text == "False" || text == "true" || text == "false" || text == "None") return true;
    return !text.empty() && text.find_first_not_of("0123456789.+-eE") == std::string_view::npos;
}

// A list as text that both JSON and Python read; a map inside of it only has to be shown.
void render(const YamlNode& node, std::string& out) {
    if (out.size() > kLongestValue) return;
    if (node.kind == Kind::null || is_null(node)) {
        out += "None";
    } else if (node.kind == Kind::scalar) {
        if (!node.quoted && is_bare(node.text)) {
            out += node.text;
            return;
        }
        out += '"';
        for (const char c : node.text) {
            if (c == '"' || c == '\\') out += '\\';
            out += c;
        }
        out += '"';
    } else {
        out += node.kind == Kind::list ? '[' : '{';
        bool first = true;
        for (const YamlMember& member : node.members) {
            if (!first) out += ", ";
            first = false;
            if (node.kind == Kind::map) out += member.key + ": ";
            render(member.value, out);
        }
        out += node.kind == Kind::list ? ']' : '}';
    }
}

void collect(const YamlNode& node, const std::string& path, std::vector<Setting>& out) {
    for (const YamlMember& member : node.members) {
        if (out.size() == kMostSettings) return;
        std::string inner = path.empty() ? member.key : path + "." + member.key;
        if (inner.size() > kLongestPath) inner.resize(kLongestPath);  // no name that anyone knows
        if (member.value.kind == Kind::map && !member.value.members.empty()) {
            collect(member.value, inner, out);
            continue;
        }
        Setting setting{std::move(inner), {}, member.line, {}};
        if (member.value.kind == Kind::scalar && !is_null(member.value)) {
            setting.value = member.value.text;
        } else {
            render(member.value, setting.value);
        }
        setting.source = shown_source(fmt::format("{}: {}", member.key, setting.value));
        out.push_back(std::move(setting));
    }
}

bool is_environment_name(std::string_view name) {
    return !name.empty() && !(name.front() >= '0' && name.front() <= '9') &&
           name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == std::string_view::npos;
}

// The brace that closes the one before `from`.
std::size_t closing(std::string_view text, std::size_t from) {
    int depth = 1;
    for (std::size_t i = from; i < text.size(); ++i) {
        if (text[i] == '{') ++depth;
        if (text[i] == '}' && --depth == 0) return i;
    }
    return std::string_view::npos;
}

class Filler {
  public:
    explicit Filler(std::vector<Setting>& settings) : settings_(settings) {
        for (std::size_t i = 0; i < settings.size(); ++i)
            index_[settings[i].path] = i;
    }

    void run() {
        for (current_ = 0; current_ < settings_.size();
             before_[settings_[current_].path] = current_, ++current_) {
            Setting& setting = settings_[current_];
            if (!setting.unresolved.empty()) continue;
            if (trim(setting.value) == "???") {
                setting.unresolved = "the text leaves the value to whoever runs it";
                continue;
            }
            if (setting.value.find('$') == std::string::npos) continue;
            std::string why;
            const std::string filled = fill(setting.value, setting.path, 0, why);
            if (why.empty()) {
                setting.value = filled;
            } else {
                setting.unresolved = std::move(why);
            }
        }
    }

  private:
    // `why`: what can't be told, where something can't.
    std::string fill(std::string_view text, const std::string& path, int depth, std::string& why) {
        std::string out;
        if (depth > kDeepestPlaceholder || filled_ > kMostFilled) {
            why = "placeholders that lead to each other";
            return out;
        }
        filled_ += text.size();
        while (!text.empty() && why.empty() && out.size() < kLongestValue) {
            const std::size_t at = text.find('$');
            out += text.substr(0, at);
            if (at == std::string_view::npos) break;
            text.remove_prefix(at + 1);
            if (text.starts_with('{')) {
                const std::size_t end = closing(text, 1);
                if (end == std::string_view::npos) {
                    why = "a ${ that is never closed";
                    break;
                }
                out += value_of(text.substr(1, end - 1), path, depth, why);
                text.remove_prefix(end + 1);
            } else {
                std::size_t end = 0;
                while (end < text.size() &&
                       (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_'))
                    ++end;
                const std::string_view name = text.substr(0, end);
                text.remove_prefix(end);
                if (const Setting* other = end > 0 ? find(name) : nullptr) {
                    out += fill(other->value, other->path, depth + 1, why);
                } else if (end > 0) {
                    why = fmt::format("{} isn't set in this text", quote(name));
                } else if (text.starts_with('(')) {
                    why = "$(...) isn't computed here";
                } else {
                    out += '$';
                }
            }
        }
        return out;
    }

    std::string value_of(std::string_view inside, const std::string& path, int depth, std::string& why) {
        const auto fallback = [&](std::string_view name, std::optional<std::string_view> value) {
            if (!value) {
                why = fmt::format("{} isn't set in this text", quote(name));
                return std::string();
            }
            note_default(name);
            return fill(*value, path, depth + 1, why);
        };
        for (const std::string_view resolver : {"oc.env:", "oc.select:"}) {
            if (!inside.starts_with(resolver)) continue;
            inside.remove_prefix(resolver.size());
            const std::size_t comma = inside.find(',');
            const std::string_view name = trim(inside.substr(0, comma));
            std::optional<std::string_view> value;
            if (comma != std::string_view::npos) value = trim(inside.substr(comma + 1));
            if (resolver == "oc.select:") {
                if (Setting* other = find(name)) return fill(other->value, other->path, depth + 1, why);
            }
            return fallback(name, value);
        }
        const std::size_t end = inside.find_first_of(":-=");
        const std::string_view name = trim(inside.substr(0, end));
        if (Setting* other = find(name)) return fill(other->value, other->path, depth + 1, why);
        const bool shell = end != std::string_view::npos && inside.substr(end).starts_with(":-");
        if (is_environment_name(name) || (shell && !name.empty())) {
            if (end == std::string_view::npos) return fallback(name, std::nullopt);
            std::string_view value = inside.substr(end + 1);
            if (inside[end] == ':' && (value.starts_with('-') || value.starts_with('=')))
                value.remove_prefix(1);
            return fallback(name, trim(value));
        }
        if (Setting* other = find(absolute(trim(inside), path)))
            return fill(other->value, other->path, depth + 1, why);
        why = fmt::format("{} can't be told from this text", quote(inside));
        return {};
    }

    // ".x" is a sibling, "..x" one of the parent's.
    static std::string absolute(std::string_view reference, std::string_view path) {
        if (!reference.starts_with('.')) return std::string(reference);
        while (reference.starts_with('.')) {
            reference.remove_prefix(1);
            const std::size_t dot = path.rfind('.');
            path = path.substr(0, dot == std::string_view::npos ? 0 : dot);
        }
        return path.empty() ? std::string(reference) : fmt::format("{}.{}", path, reference);
    }

    // The last one before the setting that asks, as a program would have it; else one that comes later, as a
    // map may have it. Never itself: X=${X:-4}.
    Setting* find(std::string_view path) {
        const std::string key(path);
        auto found = before_.find(key);
        if (found == before_.end()) {
            found = index_.find(key);
            if (found == index_.end() || found->second == current_) return nullptr;
        }
        if (!settings_[found->second].unresolved.empty()) return nullptr;
        if (!settings_[found->second].defaulted.empty()) note_default(settings_[found->second].defaulted);
        return &settings_[found->second];
    }

    // The first one names the rest.
    void note_default(std::string_view name) {
        std::string& noted = settings_[current_].defaulted;
        if (noted.empty() && name.size() < 100) noted = name;
    }

    std::vector<Setting>& settings_;
    std::unordered_map<std::string, std::size_t> index_;
    std::unordered_map<std::string, std::size_t> before_;  // of the settings before the current one
    std::size_t current_ = 0;
    std::size_t filled_ = 0;
};

}  // namespace

std::string shown_source(std::string text, std::size_t limit) {
    if (text.size() > limit) {
        while (limit > 0 && (static_cast<unsigned char>(text[limit]) & 0xC0) == 0x80)
            --limit;
        text.resize(limit);
        text += "…";
    }
    std::replace_if(
        text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
    return text;
}

std::string_view name_of(const Setting& setting) {
    const std::size_t dot = setting.path.rfind('.');
    return dot == std::string::npos ? std::string_view(setting.path)
                                    : std::string_view(setting.path).substr(dot + 1);
}

void add_settings(const YamlNode& document, std::vector<Setting>& settings) {
    if (document.kind == Kind::map) collect(document, "", settings);
}

void fill_placeholders(std::vector<Setting>& settings) {
    Filler(settings).run();
}

}  // namespace megamem
