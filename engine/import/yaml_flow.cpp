#include "import/yaml_flow.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "import/yaml_scalars.h"

namespace megamem {

using yaml::ends_token;
using yaml::is_flow_mark;
using yaml::is_space;

namespace {

constexpr std::size_t kMostWarnings = 50;

}  // namespace

bool YamlFlow::has_room_for_warning() {
    const bool room = result_.problems.size() < kMostWarnings;
    if (!room) ++unlisted_;
    return room;
}

void YamlFlow::warn(std::size_t number, std::string_view code, std::string_view message) {
    if (!has_room_for_warning()) return;
    result_.problems.push_back({Severity::warning, code, "", fmt::format("line {}: {}", number, message)});
}

void YamlFlow::fail(std::size_t number, std::string_view code, std::string_view message) {
    if (failed_) return;
    failed_ = true;
    result_.problems.push_back({Severity::error, code, "", fmt::format("line {}: {}", number, message)});
}

bool YamlFlow::deeper(std::size_t number) {
    if (depth_ < kDeepestYaml) return true;
    fail(number, "too_deep", fmt::format("nested deeper than {} levels", kDeepestYaml));
    return false;
}

YamlNode YamlFlow::copy_of(std::string_view name, std::size_t number) {
    const auto found = anchors_.find(std::string(name));
    if (found == anchors_.end()) {
        warn(number, "unknown_anchor", fmt::format("nothing is called &{} before this", quote(name)));
        return {};
    }
    pay(found->second, number);
    if (failed_) return {};
    YamlNode copy = found->second;
    copy.line = number;
    return copy;
}

void YamlFlow::pay(const YamlNode& node, std::size_t number) {
    copies_ += 1;
    copied_bytes_ += node.text.size();
    if (copies_ > kMostYamlCopies || copied_bytes_ > kMostYamlCopiedBytes) {
        fail(number, "too_many_copies",
             fmt::format("aliases copy more than {} values or {} bytes", kMostYamlCopies,
                         kMostYamlCopiedBytes));
        return;
    }
    for (const YamlMember& member : node.members) {
        if (failed_) return;
        copied_bytes_ += member.key.size();
        pay(member.value, number);
    }
}

void YamlFlow::add(YamlNode& map, Keys& keys, YamlMember member) {
    if (member.key == "<<" && !failed_) {
        if (member.value.kind == Kind::map) {
            merge(map, keys, std::move(member.value));
            return;
        }
        if (member.value.kind == Kind::list) {
            for (YamlMember& item : member.value.members)
                merge(map, keys, std::move(item.value));
            return;
        }
    }
    const auto [place, is_new] = keys.try_emplace(member.key, Known{map.members.size(), false});
    if (is_new) {
        map.members.push_back(std::move(member));
        return;
    }
    YamlMember& old = map.members[place->second.index];
    if (!place->second.merged && has_room_for_warning()) {
        warn(member.line, "repeated_key",
             fmt::format("{} stands in line {} already; the last one counts", quote(member.key), old.line));
    }
    place->second.merged = false;
    old = std::move(member);
}

void YamlFlow::merge(YamlNode& map, Keys& keys, YamlNode from) {
    if (from.kind != Kind::map) {
        if (from.kind != Kind::null)
            warn(from.line, "outside_yaml_subset", "<< takes a map or a list of maps");
        return;
    }
    for (YamlMember& member : from.members) {
        if (keys.try_emplace(member.key, Known{map.members.size(), true}).second)
            map.members.push_back(std::move(member));
    }
}

bool YamlFlow::skip_space(Place& at) {
    while (at.row < lines_.size()) {
        const std::string_view text = lines_[at.row].text;
        while (at.column < text.size() && is_space(text[at.column]))
            ++at.column;
        const bool comment = at.column < text.size() && text[at.column] == '#' &&
                             (at.column == 0 || is_space(text[at.column - 1]));
        if (at.column < text.size() && !comment) return true;
        ++at.row;
        at.column = 0;
    }
    return false;
}

char YamlFlow::peek(Place at) const {
    return lines_[at.row].text[at.column];
}

YamlNode YamlFlow::read_flow(Place& at, bool inside) {
    YamlNode node;
    node.line = lines_[at.row].number;
    const char first = peek(at);
    if (first == '"' || first == '\'') {
        node.kind = Kind::scalar;
        node.quoted = true;
        node.text = read_quoted(at);
    } else if (first == '[' || first == '{') {
        if (!deeper(node.line)) return node;
        ++depth_;
        if (first == '[') {
            read_flow_list(at, node);
        } else {
            read_flow_map(at, node);
        }
        --depth_;
    } else if (first == '*' && inside) {
        const std::string name = flow_word(at);
        node = copy_of(std::string_view(name).substr(1), node.line);
    } else {
        node.kind = Kind::scalar;
        node.text = flow_word(at);
        if (node.text.starts_with('!') || node.text.starts_with('&'))
            warn(node.line, "outside_yaml_subset",
                 fmt::format("tags and anchors inside of [] and {{}} aren't read: {}", quote(node.text)));
    }
    return node;
}

void YamlFlow::read_flow_list(Place& at, YamlNode& list) {
    list.kind = Kind::list;
    ++at.column;
    while (!failed_) {
        if (!skip_space(at)) return unclosed(list.line, "[");
        if (peek(at) == ']') break;
        if (peek(at) == ',') {
            ++at.column;
            continue;
        }
        if (peek(at) == '}') return stray(at);
        YamlMember item;
        item.line = lines_[at.row].number;
        item.value = read_flow(at, true);
        if (!failed_ && !skip_space(at)) return unclosed(list.line, "[");
        // [a: 1]: a map of one.
        if (!failed_ && peek(at) == ':') {
            ++at.column;
            YamlMember member{std::move(item.value.text), item.line, {}};
            if (!skip_space(at)) return unclosed(list.line, "[");
            if (peek(at) != ',' && peek(at) != ']') member.value = read_flow(at, true);
            item.value = YamlNode{Kind::map, false, "", item.line, {}};
            item.value.members.push_back(std::move(member));
            if (!failed_ && !skip_space(at)) return unclosed(list.line, "[");
        }
        list.members.push_back(std::move(item));
        if (!failed_ && peek(at) != ',' && peek(at) != ']') return stray(at);
    }
    if (!failed_) ++at.column;
}

void YamlFlow::read_flow_map(Place& at, YamlNode& map) {
    map.kind = Kind::map;
    Keys keys;
    ++at.column;
    while (!failed_) {
        if (!skip_space(at)) return unclosed(map.line, "{");
        const char c = peek(at);
        if (c == '}') break;
        if (c == ',') {
            ++at.column;
            continue;
        }
        if (c == '[' || c == '{' || c == ']') return stray(at);
        YamlMember member;
        member.line = lines_[at.row].number;
        member.key = c == '"' || c == '\'' ? read_quoted(at) : flow_word(at);
        if (failed_) return;
        if (!skip_space(at)) return unclosed(map.line, "{");
        if (peek(at) == ':') {
            ++at.column;
            if (!skip_space(at)) return unclosed(map.line, "{");
            if (peek(at) != ',' && peek(at) != '}') member.value = read_flow(at, true);
            if (failed_) return;
            if (!skip_space(at)) return unclosed(map.line, "{");
        }
        if (member.value.line == 0) member.value.line = member.line;
        add(map, keys, std::move(member));
        if (peek(at) != ',' && peek(at) != '}') return stray(at);
    }
    if (!failed_) ++at.column;
}

void YamlFlow::unclosed(std::size_t number, std::string_view mark) {
    fail(number, "unclosed", fmt::format("the {} here is never closed", mark));
}

void YamlFlow::stray(Place at) {
    fail(lines_[at.row].number, "stray_mark",
         fmt::format("{} doesn't belong there", quote(lines_[at.row].text.substr(at.column, 12))));
}

std::string YamlFlow::flow_word(Place& at) {
    const std::string_view text = lines_[at.row].text;
    const std::size_t from = at.column;
    std::size_t i = from;
    while (i < text.size()) {
        const char c = text[i];
        if (c == '$' && i + 1 < text.size() && text[i + 1] == '{') {
            const std::size_t end = text.find('}', i);
            if (end != std::string_view::npos) {
                i = end + 1;
                continue;
            }
        }
        if (is_flow_mark(c)) break;
        if (c == ':' && (ends_token(text, i + 1) || is_flow_mark(text[i + 1]))) break;
        if (c == '#' && i > from && is_space(text[i - 1])) break;
        ++i;
    }
    // A mark that can't begin a word: take it, so that the reader comes on.
    if (i == from) {
        stray(at);
        return "";
    }
    at.column = i;
    return std::string(trim(text.substr(from, i - from)));
}

std::string YamlFlow::read_quoted(Place& at) {
    const char mark = peek(at);
    const std::size_t first = lines_[at.row].number;
    std::string raw;
    ++at.column;
    while (true) {
        const std::string_view text = lines_[at.row].text;
        std::size_t i = at.column;
        bool closed = false;
        while (i < text.size() && !closed) {
            if (mark == '"' && text[i] == '\\') {
                i += 2;
            } else if (text[i] != mark) {
                ++i;
            } else if (mark == '\'' && i + 1 < text.size() && text[i + 1] == '\'') {
                i += 2;
            } else {
                closed = true;
            }
        }
        i = std::min(i, text.size());
        raw += text.substr(at.column, i - at.column);
        if (closed) {
            at.column = i + 1;
            break;
        }
        if (!next_quoted_line(at, mark, raw)) {
            fail(first, "unclosed", fmt::format("the {} here is never closed", mark));
            return "";
        }
    }
    return mark == '"' ? unescape(raw, first) : unquote_single(raw);
}

bool YamlFlow::next_quoted_line(Place& at, char mark, std::string& raw) {
    const bool joined = mark == '"' && raw.ends_with('\\') && !raw.ends_with("\\\\");
    if (joined) {
        raw.pop_back();
    } else {
        while (!raw.empty() && is_space(raw.back()))
            raw.pop_back();
    }
    std::size_t empty = 0;
    for (++at.row; at.row < lines_.size(); ++at.row, ++empty) {
        const std::string_view text = lines_[at.row].text;
        at.column = 0;
        while (at.column < text.size() && is_space(text[at.column]))
            ++at.column;
        if (at.column == text.size()) continue;
        if (empty > 0) {
            raw.append(empty, '\n');
        } else if (!joined) {
            raw += ' ';
        }
        return true;
    }
    return false;
}

std::string YamlFlow::unescape(std::string_view raw, std::size_t number) {
    std::vector<std::string_view> unknown;
    std::string text = unescape_double(raw, unknown);
    for (const std::string_view escape : unknown)
        warn(number, "unknown_escape", fmt::format("{} isn't an escape of YAML; it is kept", quote(escape)));
    return text;
}

}  // namespace megamem
