#include "import/yaml_subset.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "import/yaml_flow.h"
#include "import/yaml_scalars.h"

namespace megamem {

namespace {

using Kind = YamlNode::Kind;
using yaml::ends_token;
using yaml::is_space;

constexpr std::size_t kMostDocuments = 1000;

bool is_item(std::string_view content) {
    return content.starts_with('-') && ends_token(content, 1);
}

bool is_marker(std::string_view text, std::string_view marker) {
    return text.starts_with(marker) && ends_token(text, marker.size());
}

// Where a plain text ends for a comment: a # at its beginning or after a blank.
std::size_t comment_start(std::string_view text, std::size_t from) {
    for (std::size_t i = from; i < text.size(); ++i) {
        if (text[i] == '#' && (i == from || is_space(text[i - 1]))) return i;
    }
    return text.size();
}

class Reader : private YamlFlow {
  public:
    explicit Reader(std::string_view text) { split_lines(text); }

    ReadYaml read() {
        while (!failed_ && row_ < lines_.size()) {
            const Line& line = lines_[row_];
            if (line.blank || line.text.starts_with('%')) {
                ++row_;
            } else if (is_marker(line.text, "...")) {
                ++row_;
            } else if (is_marker(line.text, "---")) {
                pass_marker();
            } else {
                read_document();
            }
        }
        if (failed_) result_.documents.clear();
        if (unlisted_ > 0) {
            result_.problems.push_back({Severity::warning, "outside_yaml_subset", "",
                                        fmt::format("{} more such lines aren't listed", unlisted_)});
        }
        return std::move(result_);
    }

  private:
    void split_lines(std::string_view text) {
        if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
        std::size_t number = 0;
        std::size_t filled = 0;
        while (!text.empty()) {
            Line line;
            line.text = take_line(text);
            line.number = ++number;
            while (line.indent < line.text.size() && line.text[line.indent] == ' ')
                ++line.indent;
            const std::string_view content = trim(line.text);
            line.blank = content.empty() || content.front() == '#';
            if (!line.blank && ++filled == kMostYamlLines) {
                warn(number, "too_long",
                     fmt::format("more than {} lines stand in the text; the rest isn't read", kMostYamlLines));
                return;
            }
            lines_.push_back(line);
        }
    }

    // "---": what stands after it is the document's first line.
    void pass_marker() {
        Line& line = lines_[row_];
        line.text.remove_prefix(3);
        while (!line.text.empty() && is_space(line.text.front()))
            line.text.remove_prefix(1);
        line.indent = 0;
        line.blank = line.text.empty() || line.text.front() == '#';
    }

    void read_document() {
        if (result_.documents.size() >= kMostDocuments) {
            fail(lines_[row_].number, "too_many_documents",
                 fmt::format("more than {} documents", kMostDocuments));
            return;
        }
        anchors_.clear();
        result_.documents.push_back(read_node(0));
        while (!failed_ && at_content())
            skip_line("this line belongs to nothing before it");
    }

    bool at_content() {
        while (row_ < lines_.size() && lines_[row_].blank)
            ++row_;
        if (row_ >= lines_.size()) return false;
        const std::string_view text = lines_[row_].text;
        return !is_marker(text, "---") && !is_marker(text, "...");
    }

    std::size_t start(std::size_t row) const { return lines_[row].indent + lines_[row].property; }

    std::string_view content(std::size_t row) const {
        return lines_[row].text.substr(std::min(start(row), lines_[row].text.size()));
    }

    // The line, and what is indented deeper than it, is told and left out.
    void skip_line(std::string_view why) {
        const std::size_t indent = lines_[row_].indent;
        if (has_room_for_warning()) {
            warn(lines_[row_].number, "outside_yaml_subset",
                 fmt::format("{}; skipped: {}", why, quote(trim(content(row_)))));
        }
        ++row_;
        while (at_content() && lines_[row_].indent > indent)
            ++row_;
    }

    // What begins in the current line, at its indent.
    YamlNode read_node(std::size_t parent_columns) {
        YamlNode node;
        if (!at_content()) return node;
        const std::size_t number = lines_[row_].number;
        if (!deeper(number)) return node;
        ++depth_;
        if (content(row_).starts_with('\t')) {
            skip_line("tabs can't indent");
        } else if (is_item(content(row_))) {
            node = read_list(lines_[row_].indent);
        } else if (find_colon(row_, start(row_)) || content(row_).starts_with("? ")) {
            node = read_map(lines_[row_].indent);
        } else {
            node = read_value({row_, start(row_)}, parent_columns);
        }
        --depth_;
        return node;
    }

    YamlNode read_list(std::size_t indent) {
        YamlNode list;
        list.kind = Kind::list;
        list.line = lines_[row_].number;
        while (!failed_ && at_content() && lines_[row_].indent >= indent) {
            Line& line = lines_[row_];
            if (line.indent > indent || !is_item(content(row_))) {
                if (line.indent == indent && find_colon(row_, indent)) break;  // the map around goes on
                skip_line("not an item of the list before it");
                continue;
            }
            YamlMember item;
            item.line = line.number;
            std::size_t at = indent + 1;
            while (at < line.text.size() && is_space(line.text[at]))
                ++at;
            const bool empty = at >= line.text.size() || line.text[at] == '#';
            if (empty) {
                ++row_;
                if (at_content() && lines_[row_].indent > indent) item.value = read_node(indent + 1);
            } else {
                line.indent = at;
                if (starts_value(line.text[at])) {
                    item.value = read_value({row_, at}, indent + 1);
                } else {
                    item.value = read_node(indent + 1);
                }
            }
            if (item.value.line == 0) item.value.line = item.line;
            list.members.push_back(std::move(item));
        }
        return list;
    }

    // Characters with which no key of a block map in an item begins, or that need read_value's care.
    static bool starts_value(char c) {
        return c == '[' || c == '{' || c == '|' || c == '>' || c == '&' || c == '!';
    }

    YamlNode read_map(std::size_t indent) {
        YamlNode map;
        map.kind = Kind::map;
        map.line = lines_[row_].number;
        Keys keys;
        while (!failed_ && at_content() && lines_[row_].indent >= indent) {
            const Line& line = lines_[row_];
            if (line.indent > indent) {
                skip_line("indented deeper than the entry before it allows");
                continue;
            }
            if (content(row_).starts_with('\t')) {
                skip_line("tabs can't indent");
                continue;
            }
            if (content(row_).starts_with("? ")) {
                skip_line("keys in the form \"? key\" aren't read here");
                continue;
            }
            const std::optional<std::size_t> colon = find_colon(row_, start(row_));
            if (!colon) {
                skip_line("neither \"key: value\" nor an item");
                continue;
            }
            YamlMember member;
            member.line = line.number;
            member.key = read_key(line, start(row_), *colon);
            member.value = read_entry({row_, *colon + 1}, indent);
            if (member.value.line == 0) member.value.line = member.line;
            add(map, keys, std::move(member));
        }
        return map;
    }

    // The colon that ends a key which begins in this column.
    std::optional<std::size_t> find_colon(std::size_t row, std::size_t from) const {
        const std::string_view text = lines_[row].text;
        if (from >= text.size()) return std::nullopt;
        std::size_t at = from;
        if (text[at] == '"' || text[at] == '\'') {
            const char mark = text[at++];
            while (at < text.size() && text[at] != mark)
                at += mark == '"' && text[at] == '\\' ? 2 : 1;
            if (at >= text.size()) return std::nullopt;
            ++at;
            while (at < text.size() && is_space(text[at]))
                ++at;
            if (at < text.size() && text[at] == ':' && ends_token(text, at + 1)) return at;
            return std::nullopt;
        }
        if (text[at] == '[' || text[at] == '{' || text[at] == '#') return std::nullopt;
        for (; at < text.size(); ++at) {
            if (text[at] == ':' && ends_token(text, at + 1)) return at;
            if (text[at] == '#' && is_space(text[at - 1])) return std::nullopt;
        }
        return std::nullopt;
    }

    std::string read_key(const Line& line, std::size_t from, std::size_t colon) {
        const std::string_view raw = trim(line.text.substr(from, colon - from));
        if (raw.size() >= 2 && (raw.front() == '"' || raw.front() == '\'')) {
            const std::string_view inner = raw.substr(1, raw.size() - 2);
            return raw.front() == '"' ? unescape(inner, line.number) : unquote_single(inner);
        }
        return std::string(raw);
    }

    // What stands after "key:", on its line or below it.
    YamlNode read_entry(Place at, std::size_t indent) {
        const std::string_view text = lines_[at.row].text;
        while (at.column < text.size() && is_space(text[at.column]))
            ++at.column;
        if (at.column < text.size() && text[at.column] != '#') return read_value(at, indent + 1);
        ++row_;
        return read_below(indent);
    }

    // What a key or a property without more on its line has below it.
    YamlNode read_below(std::size_t indent) {
        if (!at_content()) return {};
        const Line& line = lines_[row_];
        if (line.indent > indent) return read_node(indent + 1);
        // A list may stand as far left as its key.
        if (line.indent == indent && is_item(content(row_))) {
            if (!deeper(line.number)) return {};
            ++depth_;
            YamlNode list = read_list(indent);
            --depth_;
            return list;
        }
        return {};
    }

    // A value that begins here. Lines that go on with it have at least `columns` spaces before them.
    YamlNode read_value(Place at, std::size_t columns) {
        const Line& line = lines_[at.row];
        const std::string_view text = line.text;
        const std::size_t first = at.column;
        std::string anchor;
        while (at.column < text.size() && (text[at.column] == '&' || text[at.column] == '!')) {
            std::size_t end = at.column;
            while (end < text.size() && !is_space(text[end]))
                ++end;
            const std::string_view property = text.substr(at.column, end - at.column);
            if (property.front() == '&') {
                anchor = std::string(property.substr(1));
            } else {
                warn(line.number, "yaml_tag",
                     fmt::format("the tag {} is dropped and its value read as it stands", quote(property)));
            }
            at.column = end;
            while (at.column < text.size() && is_space(text[at.column]))
                ++at.column;
        }
        const bool has_property = at.column != first;
        YamlNode node;
        if (at.column >= text.size() || text[at.column] == '#') {
            row_ = at.row + 1;
            node = columns == 0 ? read_node(0) : read_below(columns - 1);
        } else if (has_property && find_colon(at.row, at.column)) {
            // "- &name key: value": the map's further entries stand below the name.
            lines_[at.row].indent = first;
            lines_[at.row].property = at.column - first;
            node = read_node(columns);
        } else if (text[at.column] == '|' || text[at.column] == '>') {
            node = read_block(at, columns);
        } else if (text[at.column] == '*') {
            node = read_alias(at);
        } else if (text[at.column] == '"' || text[at.column] == '\'' || text[at.column] == '[' ||
                   text[at.column] == '{') {
            node = read_flow(at, false);
            finish_line(at);
        } else {
            node = read_plain(at, columns);
        }
        if (node.line == 0) node.line = line.number;
        if (!anchor.empty()) {
            pay(node, line.number);
            anchors_[anchor] = node;
        }
        return node;
    }

    // After a value that has an end of its own: a comment may follow, nothing else.
    void finish_line(Place at) {
        if (failed_) return;
        const std::string_view text = lines_[at.row].text;
        const std::string_view rest = trim(text.substr(std::min(at.column, text.size())));
        if (!rest.empty() && rest.front() != '#') {
            warn(lines_[at.row].number, "outside_yaml_subset",
                 fmt::format("left out after the end of the value: {}", quote(rest)));
        }
        row_ = at.row + 1;
    }

    // A plain scalar, with the deeper lines that go on with it.
    YamlNode read_plain(Place at, std::size_t columns) {
        YamlNode node;
        node.kind = Kind::scalar;
        node.line = lines_[at.row].number;
        const std::string_view text = lines_[at.row].text;
        const std::size_t comment = comment_start(text, at.column);
        if (const auto colon = find_colon(at.row, at.column); colon && *colon < comment)
            warn(node.line, "second_colon",
                 "a second \": \" in one line; all after the first is read as text");
        node.text = std::string(trim(text.substr(at.column, comment - at.column)));
        row_ = at.row + 1;
        if (comment < text.size()) return node;
        while (row_ < lines_.size() && !lines_[row_].blank && lines_[row_].indent >= columns && columns > 0) {
            const Line& line = lines_[row_];
            const std::string_view more = content(row_);
            if (more.starts_with('\t') || find_colon(row_, line.indent) || is_item(more)) break;
            if (is_marker(line.text, "---") || is_marker(line.text, "...")) break;
            const std::size_t end = comment_start(more, 0);
            node.text += ' ';
            node.text += trim(more.substr(0, end));
            ++row_;
            if (end < more.size()) break;
        }
        return node;
    }

    // "|" and ">": the deeper lines as they stand, or folded.
    YamlNode read_block(Place at, std::size_t columns) {
        YamlNode node;
        node.kind = Kind::scalar;
        node.quoted = true;
        node.line = lines_[at.row].number;
        const std::string_view text = lines_[at.row].text;
        const bool folded = text[at.column] == '>';
        char chomp = ' ';
        std::size_t wanted = 0;
        std::size_t i = at.column + 1;
        for (; i < text.size() && !is_space(text[i]); ++i) {
            if (text[i] == '-' || text[i] == '+') {
                chomp = text[i];
            } else if (text[i] >= '1' && text[i] <= '9') {
                wanted = static_cast<std::size_t>(text[i] - '0');
            } else {
                warn(node.line, "outside_yaml_subset",
                     fmt::format("{} isn't a block's indicator", quote(text.substr(i, 1))));
            }
        }
        row_ = at.row + 1;
        std::size_t indent = wanted == 0 ? 0 : (columns == 0 ? 0 : columns - 1) + wanted;
        std::size_t breaks = 0;
        bool started = false;
        bool was_deep = false;
        for (; row_ < lines_.size(); ++row_) {
            const Line& line = lines_[row_];
            if (trim(line.text).empty()) {
                ++breaks;
                continue;
            }
            if (indent == 0) indent = std::max(line.indent, columns);
            if (line.indent < std::max<std::size_t>(indent, columns)) break;
            if (columns == 0 && (is_marker(line.text, "---") || is_marker(line.text, "..."))) break;
            const std::string_view more = line.text.substr(std::min(indent, line.text.size()));
            const bool deep = is_space(more.front());
            if (started) {
                if (!folded || deep || was_deep) {
                    node.text.append(breaks + 1, '\n');
                } else if (breaks == 0) {
                    node.text += ' ';
                } else {
                    node.text.append(breaks, '\n');
                }
            } else {
                node.text.append(breaks, '\n');
            }
            node.text += more;
            started = true;
            was_deep = deep;
            breaks = 0;
        }
        if (chomp == '+') {
            node.text.append(breaks + (started ? 1 : 0), '\n');
        } else if (chomp == ' ' && started) {
            node.text += '\n';
        }
        return node;
    }

    YamlNode read_alias(Place at) {
        const Line& line = lines_[at.row];
        std::size_t end = at.column + 1;
        while (end < line.text.size() && !is_space(line.text[end]))
            ++end;
        const YamlNode node = copy_of(line.text.substr(at.column + 1, end - at.column - 1), line.number);
        finish_line({at.row, end});
        return node;
    }
};

}  // namespace

const YamlNode* YamlNode::find(std::string_view key) const {
    if (kind != Kind::map) return nullptr;
    for (const YamlMember& member : members) {
        if (member.key == key) return &member.value;
    }
    return nullptr;
}

ReadYaml read_yaml(std::string_view text) {
    ReadYaml result;
    if (text.size() > kMostYamlBytes) {
        result.problems.push_back(
            {Severity::error, "too_long", "",
             fmt::format("the text is {} bytes long; {} are read", text.size(), kMostYamlBytes)});
        return result;
    }
    if (text.find('\0') != std::string_view::npos || !is_valid_utf8(text)) {
        result.problems.push_back({Severity::error, "not_text", "", "the text isn't UTF-8"});
        return result;
    }
    return Reader(text).read();
}

bool is_null(const YamlNode& node) {
    if (node.kind == Kind::null) return true;
    return node.kind == Kind::scalar && !node.quoted &&
           (node.text == "null" || node.text == "~" || node.text == "Null" || node.text == "NULL" ||
            node.text.empty());
}

}  // namespace megamem
