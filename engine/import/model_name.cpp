#include "import/model_name.h"

#include <string>

namespace megamem {

namespace {

// "Llama-3.1-70B" and "llama 3.1 70b" alike.
std::string letters_of(std::string_view name) {
    std::string out;
    for (const char c : name) {
        if (c >= 'A' && c <= 'Z') out += static_cast<char>(c - 'A' + 'a');
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) out += c;
    }
    return out;
}

}  // namespace

const ModelPreset* preset_named(std::string_view name) {
    if (name.size() > 200) return nullptr;
    while (name.ends_with('/'))
        name.remove_suffix(1);
    const std::string wanted = letters_of(name.substr(name.rfind('/') + 1));
    const ModelPreset* best = nullptr;
    std::size_t longest = 5;  // anything shorter could stand in any name
    for (const ModelPreset& preset : model_presets()) {
        // The owner's own name stands in the source: "meta-llama/Llama-2-7b-hf config.json".
        const std::string_view repository = preset.source.substr(0, preset.source.find(' '));
        for (const std::string_view known :
             {preset.id, preset.title, repository.substr(repository.rfind('/') + 1)}) {
            const std::string plain = letters_of(known);
            if (plain.size() <= longest || !wanted.starts_with(plain)) continue;
            // "llama318b" doesn't begin "llama3180b".
            const char next = wanted.size() > plain.size() ? wanted[plain.size()] : '\0';
            const char last = plain.back();
            if (last >= '0' && last <= '9' && ((next >= '0' && next <= '9') || next == 'b')) continue;
            best = &preset;
            longest = plain.size();
        }
    }
    return best;
}

}  // namespace megamem
