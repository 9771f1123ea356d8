// The models of tests/data/hf_models.json: configs reduced to the keys that decide something, and the
// parameters that they must give. The figures are counted from the models' own code and checked against what
// is published; "mtp" is the prediction module's share.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <cstdlib>

#include "engine/support/data.h"
#include "engine/support/scenarios.h"
#include "import/hf_config.h"
#include "import/merge.h"
#include "memory/estimate.h"

namespace megamem {

namespace {

using test::read_data;

// Lists are written short: {"cycle": [...], "length": n} and {"runs": [[value, count], ...]}.
nlohmann::json written_out(const nlohmann::json& value) {
    if (value.is_object() && value.contains("cycle")) {
        nlohmann::json list = nlohmann::json::array();
        const auto& cycle = value["cycle"];
        for (std::size_t i = 0; i < value["length"].get<std::size_t>(); ++i)
            list.push_back(cycle[i % cycle.size()]);
        return list;
    }
    if (value.is_object() && value.contains("runs")) {
        nlohmann::json list = nlohmann::json::array();
        for (const auto& run : value["runs"])
            for (int i = 0; i < run[1].get<int>(); ++i)
                list.push_back(run[0]);
        return list;
    }
    if (!value.is_object()) return value;
    nlohmann::json object;
    for (const auto& [key, item] : value.items())
        object[key] = written_out(item);
    return object;
}

// What the warnings say that the parameters shown lack: "The parameters shown are 1 234 too low."
std::int64_t missing_parameters(const Import& import) {
    std::int64_t sum = 0;
    for (const Problem& problem : import.problems) {
        constexpr std::string_view kStart = "parameters shown are ";
        const std::size_t start = problem.message.find(kStart);
        if (problem.code != "not_modelled" || start == std::string::npos) continue;
        const std::string rest = problem.message.substr(start + kStart.size());
        const std::size_t end = rest.find(" too ");
        std::int64_t count = 0;
        for (const char c : rest.substr(0, end)) {
            if (c >= '0' && c <= '9') count = count * 10 + (c - '0');
        }
        sum += rest.substr(end).starts_with(" too high") ? -count : count;
    }
    return sum;
}

std::vector<std::string> names_of_questions(const Import& import) {
    std::vector<std::string> names;
    for (const Question& question : import.questions) {
        if (question.key != "seq_length") names.emplace_back(question.key);
    }
    std::sort(names.begin(), names.end());
    return names;
}

std::vector<std::string> names_of_warnings(const Import& import) {
    std::vector<std::string> names;
    for (const Problem& problem : import.problems) {
        if (problem.code != "not_modelled") continue;
        CHECK(problem.severity == Severity::warning);
        names.push_back(problem.path.substr(problem.path.rfind('.') + 1));
    }
    std::sort(names.begin(), names.end());
    return names;
}

std::vector<std::string> sorted(const nlohmann::json& row, const char* key) {
    auto list = row.value(key, std::vector<std::string>{});
    std::sort(list.begin(), list.end());
    return list;
}

std::int64_t parameters_of(Scenario s) {
    s.seq_length = 4096;
    s.micro_batch_size = 1;
    s.make_vocab_size_divisible_by = 1;
    s.vision_num_layers = 0;  // the language model's
    const Report report = estimate(s, Method::detailed);
    for (const Problem& problem : report.problems)
        INFO(problem.message);
    CHECK(report.valid);
    return report.parameters.total;
}

}  // namespace

TEST_CASE("a model's config.json gives the model's parameters", "[import][hf]") {
    const auto rows = read_data("hf_models.json");
    std::size_t models = 0;
    for (const auto& row : rows) {
        models += row["models"].size();
        INFO(row["models"][0]["name"]);
        const Import import = import_hf_config(written_out(row["config"]).dump(2));
        for (const Problem& problem : import.problems) {
            INFO(problem.message);
            CHECK(problem.severity != Severity::error);
            CHECK(problem.code != "bad_value");
        }
        CHECK(import.unknown.empty());
        CHECK(names_of_questions(import) == sorted(row, "asks"));
        CHECK(names_of_warnings(import) == sorted(row, "not_modelled"));
        if (!row.contains("language")) continue;

        Scenario s = merge_imports(Scenario{}, {{import}}).scenario;
        if (row.contains("answers")) {
            for (const auto& [key, answer] : row["answers"].items()) {
                const std::string text = answer.is_string() ? answer.get<std::string>() : answer.dump();
                CHECK_FALSE(set_text(s, test::field(key), text));
            }
        }
        const std::int64_t mtp = s.mtp_num_layers > 0 ? row.value("mtp", std::int64_t{0}) : 0;
        const std::int64_t expected = row["language"].get<std::int64_t>() + mtp;
        const std::int64_t missing = missing_parameters(import);
        const std::int64_t found = parameters_of(s);
        INFO(found << " parameters shown, " << missing << " missing, " << expected << " expected");
        // What is shown and what the warnings count are the whole model, to a tenth of a percent; norms and
        // biases of odd kinds are the rest.
        CHECK(std::llabs(found + missing - expected) <= expected / 1000);
        // Without a warning that counts, what is shown is the model.
        if (missing == 0) CHECK(std::llabs(found - expected) <= expected / 200);
    }
    CHECK(models == 105);
}

}  // namespace megamem
