// Flow style ([a, b], {a: 1}) and quoted text, which may go over several lines; and what every part of the
// YAML reader needs: lines, limits, problems, anchors. yaml_subset.cpp reads block style on top of it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "import/yaml_subset.h"

namespace megamem {

namespace yaml {

inline bool is_space(char c) {
    return c == ' ' || c == '\t';
}

inline bool is_flow_mark(char c) {
    return c == ',' || c == '[' || c == ']' || c == '{' || c == '}';
}

// At the end of a line, or before a blank.
inline bool ends_token(std::string_view text, std::size_t at) {
    return at >= text.size() || is_space(text[at]);
}

}  // namespace yaml

class YamlFlow {
  protected:
    using Kind = YamlNode::Kind;

    struct Line {
        std::string_view text;  // without its end
        // Spaces before the content; moved to the right while an item's content is read.
        std::size_t indent = 0;
        std::size_t property = 0;  // columns of "&name " between the indent and the content
        std::size_t number = 0;
        bool blank = false;  // nothing, or a comment only
    };

    // A place in the text: a row, and a column of it.
    struct Place {
        std::size_t row = 0;
        std::size_t column = 0;
    };

    // Keys of one map, with their places among its members; a merged key gives way to the map's own.
    struct Known {
        std::size_t index = 0;
        bool merged = false;
    };
    using Keys = std::unordered_map<std::string, Known>;

    // False: the warning that is about to be made is counted only. Where a text has many, this comes first.
    bool has_room_for_warning();
    void warn(std::size_t number, std::string_view code, std::string_view message);
    void fail(std::size_t number, std::string_view code, std::string_view message);
    bool deeper(std::size_t number);
    YamlNode copy_of(std::string_view name, std::size_t number);
    // Before a copy is made: there is a budget for all of them.
    void pay(const YamlNode& node, std::size_t number);
    void add(YamlNode& map, Keys& keys, YamlMember member);
    void merge(YamlNode& map, Keys& keys, YamlNode from);
    bool skip_space(Place& at);
    char peek(Place at) const;
    YamlNode read_flow(Place& at, bool inside);
    void read_flow_list(Place& at, YamlNode& list);
    void read_flow_map(Place& at, YamlNode& map);
    void unclosed(std::size_t number, std::string_view mark);
    void stray(Place at);
    // A plain word inside of [] or {}: to a comma, a bracket, a colon before a blank, a comment or the line's
    // end. "${NAME:1}" counts as one word.
    std::string flow_word(Place& at);
    std::string read_quoted(Place& at);
    // Lines of quoted text are joined by a blank, or by as many breaks as empty lines stand between.
    bool next_quoted_line(Place& at, char mark, std::string& raw);
    std::string unescape(std::string_view raw, std::size_t number);

    std::vector<Line> lines_;
    std::size_t row_ = 0;
    int depth_ = 0;
    bool failed_ = false;
    std::size_t unlisted_ = 0;  // warnings beyond the most that are listed
    std::unordered_map<std::string, YamlNode> anchors_;
    std::size_t copies_ = 0;
    std::size_t copied_bytes_ = 0;
    ReadYaml result_;
};

}  // namespace megamem
