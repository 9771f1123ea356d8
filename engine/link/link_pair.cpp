#include "link/link_pair.h"

#include "base/text.h"

namespace megamem {

namespace {

constexpr std::string_view kPrefix = "a.";

void append(std::string& link, std::string_view pair) {
    if (!link.empty()) link += '&';
    link += pair;
}

bool is_end(std::string_view pair) {
    return pair == "z" || pair.starts_with("z=");
}

// What is shown is the open one's affair.
bool is_shown(std::string_view pair) {
    const std::string_view key = pair.substr(0, pair.find('='));
    return key == "mt" || is_view_key(key) || is_stamp_key(key);
}

}  // namespace

ReadLinkPair read_link_pair(std::string_view text) {
    const std::string cleaned = clean_link(text);
    std::string open, compared;
    bool ended = false;
    for (const std::string_view pair : split(cleaned, '&')) {
        if (pair.starts_with(kPrefix)) {
            append(compared, pair.substr(kPrefix.size()));
        } else {
            append(open, pair);
            ended = ended || is_end(pair);
        }
    }
    if (compared.empty()) return {read_link(text), std::nullopt};
    if (ended) append(compared, "z=1");
    return {read_link(open), read_link(compared)};
}

std::string write_link_pair(std::string_view open, std::string_view compared) {
    std::string link;
    for (const std::string_view pair : split(open.substr(1), '&')) {
        if (!is_end(pair)) append(link, pair);
    }
    for (const std::string_view pair : split(compared.substr(1), '&')) {
        if (!is_end(pair) && !is_shown(pair)) append(link, std::string(kPrefix).append(pair));
    }
    append(link, "z=1");
    return "#" + link;
}

}  // namespace megamem
