// Reads a subset of YAML, our own: what people's argument files are made of, and a clear word with its line
// for everything outside of it. Total: any bytes are allowed. Time is linear in the text.
//
// Inside: maps and lists in block and flow style; plain, 'single' and "double" quoted scalars, over several
// lines too; literal | and folded > blocks with their indicators; comments; several documents between ---
// lines; %directives (skipped); &anchors, *aliases and merge keys <<, copied within a budget; BOM, CRLF.
//
// Outside, each with a warning and skipped or read as said: tags (!x is dropped, its value is read), complex
// keys (? x), keys that are maps or lists, tabs as indentation, lines that are neither an entry nor an item.
// Repeated keys are told; the last one counts, as in PyYAML.
//
// What a plain scalar means (number, boolean, null) is its reader's business: the text is kept as written.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/problem.h"

namespace megamem {

inline constexpr std::size_t kMostYamlBytes = 5'000'000;
inline constexpr int kDeepestYaml = 64;
// No configuration has more lines with something in them; what follows isn't read, and a warning says so.
inline constexpr std::size_t kMostYamlLines = 50'000;
// What aliases and merge keys may add: the one way in which little text could become much.
inline constexpr std::size_t kMostYamlCopies = 20'000;          // nodes
inline constexpr std::size_t kMostYamlCopiedBytes = 1'000'000;  // of keys and scalars

struct YamlMember;

struct YamlNode {
    enum class Kind { null, scalar, list, map };

    Kind kind = Kind::null;           // null: nothing stands there; "null" and "~" are plain scalars
    bool quoted = false;              // a quoted or block scalar: text, whatever it looks like
    std::string text;                 // of a scalar
    std::size_t line = 0;             // 1-based
    std::vector<YamlMember> members;  // of a map in the text's order without repeated keys, or of a list

    const YamlNode* find(std::string_view key) const;
};

struct YamlMember {
    std::string key;  // empty in lists
    std::size_t line = 0;
    YamlNode value;
};

struct ReadYaml {
    std::vector<YamlNode> documents;
    Problems problems;  // an error: no documents. Warnings begin with "line N: "
};

ReadYaml read_yaml(std::string_view text);

// "null", "~" and nothing at all; never quoted text.
bool is_null(const YamlNode& node);

}  // namespace megamem
