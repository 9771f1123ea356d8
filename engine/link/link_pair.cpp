#include "link/link_pair.h"

#include "base/text.h"
#include "link/clean.h"

namespace megamem {

namespace {

bool is_end(std::string_view pair) {
    return small_letters(key_of(pair)) == "z";
}

bool is_compared(std::string_view pair) {
    return small_letters(pair.substr(0, kComparedPrefix.size())) == kComparedPrefix;
}

// What is shown is the open one's affair.
bool is_shown(std::string_view pair) {
    const std::string_view key = key_of(pair);
    return key == "mt" || is_view_key(key) || is_stamp_key(key);
}

void append(std::string& link, std::string_view pair) {
    if (!link.empty()) link += '&';
    link += pair;
}

}  // namespace

ReadLinkPair read_link_pair(std::string_view text) {
    CleanLink link = clean_link(text);
    std::vector<std::string> open, compared;
    bool ended = false;
    for (const std::string& pair : link.pairs) {
        ended = ended || is_end(pair);
        if (is_compared(pair)) {
            compared.push_back(pair.substr(kComparedPrefix.size()));
        } else {
            open.push_back(pair);
        }
    }
    ReadLinkPair read;
    if (compared.empty()) {
        read.open = read_pairs(open);
    } else {
        // A link can be cut in its last half only: the other one is whole.
        const bool open_is_last = !is_compared(link.pairs.back());
        if (ended || !open_is_last) open.emplace_back("z=1");
        if (ended || open_is_last) compared.emplace_back("z=1");
        read.open = read_pairs(open);
        read.compared = read_pairs(compared);
    }
    read.open.problems.insert(read.open.problems.begin(), link.problems.begin(), link.problems.end());
    return read;
}

std::string write_link_pair(std::string_view open, std::string_view compared) {
    std::string link;
    for (const std::string_view pair : split(open.substr(1), '&')) {
        if (!is_end(pair)) append(link, pair);
    }
    for (const std::string_view pair : split(compared.substr(1), '&')) {
        if (!is_end(pair) && !is_shown(pair)) append(link, std::string(kComparedPrefix).append(pair));
    }
    append(link, "z=1");
    return "#" + link;
}

}  // namespace megamem
