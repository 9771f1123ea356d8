#include "import/argument_dump.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/text.h"
#include "import/argument_names.h"
#include "import/config_names.h"
#include "import/settings.h"

namespace megamem {

namespace {

// _print_args() fills a name up to 48 characters with dots (arguments.py:1990@d98e8a64).
constexpr std::size_t kNameColumns = 48;
constexpr std::size_t kLongestLine = 20'000;
constexpr std::size_t kMostArguments = 20'000;

bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

struct Printed {
    std::string_view name;
    std::string_view value;
    bool full_width = false;  // as Megatron-LM fills it up
};

// "[default0]:  hidden_size ............ 4096": the word before the dots, and what follows them.
std::optional<Printed> read_line(std::string_view line) {
    if (line.size() > kLongestLine) return std::nullopt;
    for (std::size_t at = line.find(" ."); at != std::string_view::npos; at = line.find(" .", at + 1)) {
        std::size_t end = at + 1;
        while (end < line.size() && line[end] == '.')
            ++end;
        const std::size_t dots = end - at - 1;
        std::size_t begin = at;
        while (begin > 0 && is_word(line[begin - 1]))
            --begin;
        const std::string_view name = line.substr(begin, at - begin);
        const bool ends = end == line.size() || line[end] == ' ';
        const bool padded = dots >= 3 || name.size() + dots == kNameColumns;
        if (name.empty() || (name.front() >= '0' && name.front() <= '9') || !ends || !padded) continue;
        return Printed{name, trim(line.substr(end)), name.size() + dots == kNameColumns};
    }
    return std::nullopt;
}

// "<AttnBackend.auto: 5>" is how Python shows an enumeration; quotes go.
std::string plain(std::string_view value) {
    value = trim(value);
    if (value.size() > 2 && value.front() == '<' && value.back() == '>')
        value = value.substr(
            1, value.find(':') == std::string_view::npos ? value.size() - 2 : value.find(':') - 1);
    if (value.size() >= 2 && (value.front() == '\'' || value.front() == '"') && value.back() == value.front())
        value = value.substr(1, value.size() - 2);
    return std::string(value);
}

class DumpReader {
  public:
    Import read(std::string_view text) {
        read_lines(text);
        std::string_view between = " ... ";
        if (settings_.empty()) {
            read_namespace(text);
            between = "=";
        }
        if (settings_.empty()) return refuse();
        for (Setting& setting : settings_)
            setting.source = shown_source(fmt::format("{}{}{}", setting.path, between, setting.value));
        settle();
        if (known_in(settings_, ConfigStyle::dump) == 0) return refuse();
        Import import = read_settings(std::move(settings_), ConfigStyle::dump, Format::argument_dump);
        if (differing_ > 0) {
            problems_.push_back(
                {Severity::warning, "several_dumps", "",
                 fmt::format("the text holds arguments more than once, and {} differ: the last count",
                             differing_)});
        }
        for (Problem& problem : problems_)
            import.problems.push_back(std::move(problem));
        return import;
    }

  private:
    static Import refuse() {
        Import import;
        import.format = Format::argument_dump;
        import.recognised = title_of(ConfigStyle::dump);
        import.problems.push_back(
            {Severity::error, "no_arguments", "",
             "no line \"name ......... value\" of Megatron-LM's arguments is in this text"});
        return import;
    }

    void read_lines(std::string_view text) {
        for (std::size_t number = 1; !text.empty(); ++number) {
            if (const auto printed = read_line(take_line(text)))
                add(printed->name, plain(printed->value), number);
        }
    }

    void add(std::string_view name, std::string value, std::size_t line) {
        const auto [place, is_new] = index_.try_emplace(std::string(name), settings_.size());
        if (is_new) {
            if (settings_.size() >= kMostArguments) return;
            settings_.push_back({std::string(name), {}, 0, {}});
        }
        if (place->second >= settings_.size()) return;
        Setting& setting = settings_[place->second];
        if (!is_new && setting.value != value) ++differing_;
        setting.value = std::move(value);
        setting.line = line;
    }

    // Namespace(a=1, b='x', c=[1, 2])
    void read_namespace(std::string_view text) {
        constexpr std::string_view kOpening = "Namespace(";
        const std::size_t at = text.find(kOpening);
        if (at == std::string_view::npos) return;
        std::size_t line = 1 + static_cast<std::size_t>(std::count(
                                   text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
        std::size_t i = at + kOpening.size();
        while (i < text.size() && text[i] != ')') {
            while (i < text.size() &&
                   (text[i] == ',' || text[i] == ' ' || text[i] == '\n' || text[i] == '\r'))
                line += text[i++] == '\n' ? 1 : 0;
            const std::size_t begin = i;
            while (i < text.size() && is_word(text[i]))
                ++i;
            const std::string_view name = text.substr(begin, i - begin);
            if (name.empty() || i >= text.size() || text[i] != '=') break;
            const std::size_t value = ++i;
            i = end_of_value(text, i);
            add(name, plain(text.substr(value, i - value)), line);
        }
        if (i >= text.size()) {
            problems_.push_back(
                {Severity::warning, "cut", "", "the Namespace(...) isn't closed: its end is missing"});
        }
    }

    // The comma or bracket after a value.
    static std::size_t end_of_value(std::string_view text, std::size_t i) {
        int depth = 0;
        char mark = '\0';
        for (; i < text.size(); ++i) {
            const char c = text[i];
            if (mark != '\0') {
                if (c == '\\')
                    ++i;
                else if (c == mark)
                    mark = '\0';
            } else if (c == '\'' || c == '"') {
                mark = c;
            } else if (c == '[' || c == '(' || c == '{' || c == '<') {
                ++depth;
            } else if (c == ']' || c == ')' || c == '}' || c == '>') {
                if (depth == 0) return i;
                --depth;
            } else if (c == ',' && depth == 0) {
                return i;
            }
        }
        return text.size();
    }

    Setting* find(const std::string& name) {
        const auto found = index_.find(name);
        return found == index_.end() || found->second >= settings_.size() ? nullptr
                                                                          : &settings_[found->second];
    }

    bool is_set(const std::string& name) {
        const Setting* setting = find(name);
        return setting != nullptr && setting->value != "None" && !setting->value.empty();
    }

    std::optional<std::int64_t> number(const std::string& name) {
        const Setting* setting = find(name);
        return setting == nullptr ? std::nullopt : parse_unsigned(setting->value);
    }

    void drop(const std::string& name) {
        if (Setting* setting = find(name)) setting->path.clear();
    }

    // What validate_args() derives and prints beside its origin (arguments.py@d98e8a64).
    void settle() {
        if (is_set("num_layers")) drop("encoder_num_layers");
        if (is_set("seq_length")) drop("encoder_seq_length");
        if (is_set("num_layers_per_virtual_pipeline_stage") ||
            is_set("num_virtual_stages_per_pipeline_rank") || is_set("pipeline_model_parallel_layout") ||
            !is_set("virtual_pipeline_model_parallel_size"))
            drop("virtual_pipeline_model_parallel_size");
        else
            drop("num_virtual_stages_per_pipeline_rank");
        settle_vocabulary();
        check_data_parallel();
        std::erase_if(settings_, [](const Setting& setting) { return setting.path.empty(); });
    }

    // The padded vocabulary is what memory holds.
    void settle_vocabulary() {
        const auto padded = number("padded_vocab_size");
        const auto plain_size = number("vocab_size");
        if (!padded) return;
        const auto divisor = number("make_vocab_size_divisible_by");
        const auto tensor = number("tensor_model_parallel_size");
        if (plain_size && divisor && tensor && *divisor >= 1 && *tensor >= 1 && *divisor <= 1'000'000 &&
            *tensor <= 1'000'000) {
            const std::int64_t step = *divisor * *tensor;
            if (*plain_size <= *padded && *padded - *plain_size < step && *padded % step == 0) {
                drop("padded_vocab_size");
                return;
            }
        }
        if (plain_size) {
            problems_.push_back({Severity::info, "padded_vocabulary", "vocab_size",
                                 fmt::format("vocab_size {} doesn't give padded_vocab_size {}, which counts",
                                             *plain_size, *padded)});
        }
        drop("vocab_size");
    }

    void check_data_parallel() {
        const auto world = number("world_size");
        const auto data = number("data_parallel_size");
        const auto tensor = number("tensor_model_parallel_size");
        const auto pipeline = number("pipeline_model_parallel_size");
        const auto context = number("context_parallel_size").value_or(1);
        drop("data_parallel_size");
        if (!world || !data || !tensor || !pipeline) return;
        constexpr std::int64_t kMost = 1 << 14;
        if (*data > kMost || *tensor > kMost || *pipeline > kMost || context > kMost) return;
        if (*data * *tensor * *pipeline * context == *world) return;
        problems_.push_back({Severity::warning, "world_size", "nodes",
                             fmt::format("world_size {} isn't data {} x tensor {} x pipeline {} x context {}",
                                         *world, *data, *tensor, *pipeline, context)});
    }

    std::vector<Setting> settings_;
    std::unordered_map<std::string, std::size_t> index_;
    std::size_t differing_ = 0;
    Problems problems_;
};

}  // namespace

bool looks_like_argument_dump(std::string_view text) {
    const std::string_view all = text;
    while (!text.empty()) {
        const auto printed = read_line(take_line(text));
        if (!printed) continue;
        if (printed->full_width || find_argument_field(canonical_flag(printed->name)).field != nullptr)
            return true;
    }
    const std::size_t at = all.find("Namespace(");
    return at != std::string_view::npos && all.find('=', at) != std::string_view::npos;
}

Import import_argument_dump(std::string_view text) {
    return DumpReader().read(text);
}

}  // namespace megamem
