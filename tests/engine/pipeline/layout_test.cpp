#include "pipeline/layout.h"

#include <rapidcheck.h>

#include <catch2/catch_test_macros.hpp>
#include <regex>

#include "base/text.h"
#include "engine/support/generators.h"
#include "engine/support/problems.h"

namespace megamem {

using test::holds;
using Stages = std::vector<std::string>;

namespace {

Stages stages_of(std::string_view text) {
    const LayoutText layout = parse_layout(text);
    INFO(text << ": " << (layout.error ? layout.error->message : ""));
    CHECK_FALSE(layout.error);
    return layout.stages;
}

LayoutError error_of(std::string_view text) {
    const LayoutText layout = parse_layout(text);
    INFO(text.substr(0, 200));
    REQUIRE(layout.error);
    CHECK(layout.error->position <= text.size());
    return *layout.error;
}

Stages repeat(const Stages& stages, int times) {
    Stages all;
    for (int i = 0; i < times; ++i)
        all.insert(all.end(), stages.begin(), stages.end());
    return all;
}

Stages operator+(Stages a, const Stages& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

// Megatron's parser (parse_str_to_list, pipeline_parallel_layer_layout.py:283-321@d98e8a64), step by step
// with its own expressions; nullopt where it finds an invalid layer character.
std::optional<Stages> megatron(std::string text) {
    std::erase(text, ',');
    for (const char* expression : {R"(\(([^)]+)\)\*(\d+))", R"((.)\*(\d+))"}) {
        const std::regex regex(expression);
        std::string out;
        std::sregex_iterator match(text.begin(), text.end(), regex);
        std::size_t from = 0;
        for (; match != std::sregex_iterator(); ++match) {
            out.append(text, from, static_cast<std::size_t>(match->position()) - from);
            for (int i = std::stoi((*match)[2]); i > 0; --i)
                out += (*match)[1];
            from = static_cast<std::size_t>(match->position() + match->length());
        }
        text = out + text.substr(from);
    }
    Stages stages = {""};
    for (const char c : text) {
        if (c == '|') {
            stages.emplace_back();
        } else if (std::string_view("EtmL").find(c) == std::string_view::npos) {
            return std::nullopt;
        } else {
            stages.back() += c;
        }
    }
    return stages;
}

}  // namespace

TEST_CASE("Megatron's spelling", "[pipeline][layout]") {
    CHECK(stages_of("EtL") == Stages{"EtL"});
    CHECK(stages_of("Et*3|(tt|)*29,m|L") == Stages{"Ettt"} + repeat({"tt"}, 29) + Stages{"m", "L"});
    CHECK(stages_of("E|(t*2|)*3,tL") == Stages{"E", "tt", "tt", "tt", "tL"});
    CHECK(stages_of("t*0|L") == Stages{"", "L"});
    // Commas are cosmetic, wherever they stand.
    CHECK(stages_of("E,,t,*,3,|,L") == Stages{"Ettt", "L"});
    // Any character is repeated, the bar too, and "(t)" is repeated before "t*2" is.
    CHECK(stages_of("E|*3t|L") == Stages{"E", "", "", "t", "L"});
    CHECK(stages_of("E(t*2)*2L") == Stages{"EttttL"});
    CHECK(stages_of("E||t|L") == Stages{"E", "", "t", "L"});
    CHECK(stages_of("|") == Stages{"", ""});
}

TEST_CASE("Three spellings of the same stages", "[pipeline][layout]") {
    const Stages expected = Stages{"Ett"} + repeat({"ttt"}, 18) + Stages{"mL"};
    for (const char* text : {
             "Ett|(ttt|)*18mL",
             "['Ett'] + ['ttt'] * 18 + ['mL']",
             "[\"Ett\"]+[\"ttt\"]*18+[\"mL\"]",
             "['Ett']+18*['ttt']+['mL']",
             "(['Ett'] + (['ttt'] * 9) * 2 + ['mL'])",
             "['Ett']+(['ttt']*3+['ttt']*3)*3+['mL']",
             "['Ett'] + ['ttt', \"ttt\"] * 9 + ['mL',]",
             "['Ett'] + ['ttt'] * 3 * 6 + ['mL']",
             "1 * ['Ett'] + 18 * ['ttt'] + ['mL']",
             "\n\t [ 'Ett' ]\n+ [ 'ttt' ]\t* 18 + [ 'mL' ] \n",
         }) {
        INFO(text);
        CHECK(stages_of(text) == expected);
    }
}

TEST_CASE("A list of lists of words", "[pipeline][layout]") {
    CHECK(stages_of(R"([["embedding","decoder"],["decoder","loss"]])") == Stages{"Et", "tL"});
    CHECK(stages_of("[['embedding'], [], ['decoder', 'decoder', 'mtp', 'loss',]]") ==
          Stages{"E", "", "ttmL"});
    // Stripped and lower-cased, as Megatron does.
    CHECK(stages_of("[[' Embedding ', 'DECODER'], ['Loss']]") == Stages{"Et", "L"});
    CHECK(stages_of("[['embedding']] + [['decoder']] * 2 + [['loss']]") == Stages{"E", "t", "t", "L"});
}

TEST_CASE("Empty stages are allowed in every spelling", "[pipeline][layout]") {
    CHECK(stages_of("E||L") == Stages{"E", "", "L"});
    CHECK(stages_of("['E', '', 'L']") == Stages{"E", "", "L"});
    CHECK(stages_of("[['embedding'],[],['loss']]") == Stages{"E", "", "L"});
}

TEST_CASE("A mistake is told with the character and its position", "[pipeline][layout]") {
    struct Case {
        const char* text;
        const char* code;
        std::size_t position;
        const char* says;
    };
    for (const Case& c : {
             Case{"et|L", "layout_character", 0, "E is a capital): \"e\" at position 1"},
             Case{"Et|tl", "layout_character", 4, "L is a capital): \"l\" at position 5"},
             Case{"Et t|L", "layout_character", 2, "spaces are no part of the layout: \" \" at position 3"},
             Case{"Ex|L", "layout_character", 1, "\"x\" at position 2"},
             Case{"E3|L", "layout_character", 1, "\"3\" at position 2"},
             Case{"E层|L", "layout_character", 1, "\"层\" at position 2"},
             Case{"E🚀|L", "layout_character", 1, "\"🚀\" at position 2"},
             Case{"'Et|L'", "layout_character", 0, "quotes are no part of the layout: \"'\" at position 1"},
             Case{"Et*|L", "layout_character", 2, "'*' needs a count after it: \"*\" at position 3"},
             Case{"E(tt|)L", "layout_character", 1, "parentheses"},
             Case{"Ett|)*2L", "layout_character", 4, "parentheses"},
             Case{"E()*3L", "layout_character", 1, "parentheses"},
             Case{"E((t|)*2t|)*2L", "layout_character", 2, "parentheses"},
             Case{"", "layout_empty", 0, "at the end"},
             Case{",,", "layout_empty", 0, "the layout is empty"},
             Case{"['Etx']", "layout_character", 4, "\"x\" at position 5"},
             Case{"['E t']", "layout_character", 3, "\" \" at position 4"},
             Case{"['embedding']", "layout_character", 2, "a word must stand in a list of its own"},
             Case{"[['E','t']]", "layout_word", 3, "not \"e\""},
             Case{"[['encoder']]", "layout_word", 3, "not \"encoder\""},
             Case{"[[['embedding']]]", "layout_nested", 2, "\"[\" at position 3"},
             Case{"['E'", "layout_syntax", 4, "at the end of the layout"},
             Case{"['E", "layout_syntax", 1, "quote is not closed"},
             Case{"['E'] * ", "layout_syntax", 8, "expected a count"},
             Case{"['E'] * x", "layout_syntax", 8, "\"x\" at position 9"},
             Case{"['E'] * -1", "layout_syntax", 8, "\"-\" at position 9"},
             Case{"['E'] ['L']", "layout_syntax", 6, "\"[\" at position 7"},
             Case{"['E'] + ", "layout_syntax", 8, "expected '['"},
             Case{"['E'] - ['L']", "layout_syntax", 6, "\"-\" at position 7"},
             Case{"[E]", "layout_syntax", 1, "expected a quoted stage"},
             Case{"[]", "layout_syntax", 2, "no stages"},
             Case{"['E']*0", "layout_syntax", 7, "no stages"},
             Case{"(['E']", "layout_syntax", 6, "expected ')'"},
             Case{"['E',,'L']", "layout_syntax", 5, "\",\" at position 6"},
         }) {
        INFO(c.text);
        const LayoutError error = error_of(c.text);
        INFO(error.message);
        CHECK(error.code == c.code);
        CHECK(error.position == c.position);
        CHECK(holds(error.message, c.says));
    }
}

TEST_CASE("Size bombs are refused before they are made", "[pipeline][layout]") {
    std::string powers = "['t']";
    for (int i = 0; i < 12; ++i)
        powers = "(" + powers + ")*1000";
    for (const std::string& text : {
             std::string("Et*999999999|L"),
             std::string("E(t|)*99999999L"),
             std::string("E(t*99999)*99999L"),
             std::string("E(t*300|)*300(t*300|)*300L"),
             std::string("Et*99999999999999999999999999999999|L"),
             std::string("E|*99999999999999999999999999999999L"),
             std::string("['t'] * 999999999"),
             std::string("999999999 * ['t']"),
             std::string("['t'] * 99999999999999999999999999999999"),
             std::string("['t'] * 1000 * 1000 * 1000 * 1000 * 1000 * 1000 * 1000"),
             std::string("[''] * 100001"),
             std::string("[['decoder'] , ['decoder']] * 50001"),
             powers,
         }) {
        INFO(text.substr(0, 80));
        const LayoutError error = error_of(text);
        INFO(error.message);
        CHECK(error.code == "layout_too_large");
        CHECK(holds(error.message, "100000"));
    }
    // Without a repeat, too.
    CHECK(error_of(std::string(kMostLayoutItems + 1, 't')).code == "layout_too_large");
    CHECK(error_of("['" + std::string(kMostLayoutItems + 1, 't') + "']").code == "layout_too_large");
}

TEST_CASE("The largest layouts are taken", "[pipeline][layout]") {
    CHECK(stages_of("t*100000")[0].size() == kMostLayoutItems);
    CHECK(stages_of("(t|)*50000").size() == 50'001);
    CHECK(stages_of("['t'] * 50000").size() == 50'000);
}

TEST_CASE("Text made to take long is refused", "[pipeline][layout]") {
    const auto many = [](std::string_view piece, int count) {
        std::string text;
        for (int i = 0; i < count; ++i)
            text += piece;
        return text;
    };
    for (const std::string& text :
         {"E" + many("(", 90'000), "E" + many("(t", 40'000), many("[", 90'000), many("(", 90'000) + "['E']",
          many("[[", 40'000), "E" + many("*", 90'000), many("(t|)*", 20'000), "['E']" + many("+", 90'000),
          many("['", 40'000), "['E'" + many(",", 90'000)}) {
        INFO(text.substr(0, 20));
        error_of(text);
    }
}

TEST_CASE("NUL bytes and broken UTF-8 are characters like others", "[pipeline][layout]") {
    CHECK(error_of(std::string_view("E\0L", 3)).position == 1);
    CHECK(is_valid_utf8(error_of("E\xFF\xFE|L").message));
    CHECK(is_valid_utf8(error_of("E\xE5\xB1").message));
    CHECK(is_valid_utf8(error_of("['\xE5']").message));
}

TEST_CASE("Property: any text gives stages or an error, never both", "[pipeline][layout][property]") {
    CHECK(rc::check("stages or an error", [] {
        const std::string text = *test::any_layout();
        const LayoutText layout = parse_layout(text);
        if (layout.error) {
            RC_ASSERT(layout.error->position <= text.size());
            RC_ASSERT(!layout.error->message.empty());
            RC_ASSERT(is_valid_utf8(layout.error->message));
            return;
        }
        RC_ASSERT(!layout.stages.empty());
        std::size_t items = layout.stages.size() - 1;
        for (const std::string& stage : layout.stages) {
            RC_ASSERT(stage.find_first_not_of("EtmL") == std::string::npos);
            items += stage.size();
        }
        RC_ASSERT(items <= kMostLayoutItems);
    }));
}

TEST_CASE("Property: Megatron's own expressions give the same stages", "[pipeline][layout][property]") {
    CHECK(rc::check("as Megatron reads it", [] {
        // Without quotes and brackets, so that it is Megatron's spelling; counts are small enough to expand.
        const std::string text = *test::pieces_of({"E", "t", "tt", "m", "L", "|", "||", "(", "(t|", ")",
                                                   ")*2", ")*0", "*3", "*0", "*", ",", "x", "2"});
        const LayoutText layout = parse_layout(text);
        // Nothing at all is one empty stage to Megatron; here it is said to be empty.
        if (text.find_first_not_of(',') == std::string::npos) {
            RC_ASSERT(layout.error.has_value());
            return;
        }
        // Digits may meet to a count that is over the limit, and over what the expressions here can count to.
        if (layout.error && layout.error->code == "layout_too_large") return;
        const std::optional<Stages> expected = megatron(text);
        RC_ASSERT(layout.error.has_value() == !expected.has_value());
        if (expected) RC_ASSERT(layout.stages == *expected);
    }));
}

TEST_CASE("Property: the spellings of random stages agree", "[pipeline][layout][property]") {
    CHECK(rc::check("three spellings", [] {
        const auto stage = rc::gen::container<std::string>(rc::gen::element('E', 't', 'm', 'L'));
        const auto stages = *rc::gen::nonEmpty(rc::gen::container<Stages>(stage));
        std::string megatron_text;
        std::string strings;
        std::string words;
        for (const std::string& s : stages) {
            megatron_text += "|" + s;
            strings += "+['" + s + "']";
            words += ",[";
            for (const char c : s) {
                words += c == 'E'   ? "'embedding',"
                         : c == 't' ? "'decoder',"
                         : c == 'm' ? "'mtp',"
                                    : "'loss',";
            }
            words += "]";
        }
        // One empty stage alone is no layout in Megatron's spelling: there is no text to write.
        if (stages != Stages{""}) RC_ASSERT(parse_layout(megatron_text.substr(1)).stages == stages);
        RC_ASSERT(parse_layout(strings.substr(1)).stages == stages);
        RC_ASSERT(parse_layout("[" + words.substr(1) + "]").stages == stages);
    }));
}

}  // namespace megamem
