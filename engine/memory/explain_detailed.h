// Explanations of the `detailed` method's items, and what the other methods' have in common with them.
#pragma once

#include <string>
#include <string_view>

#include "memory/explain.h"
#include "memory/explain_symbols.h"

namespace megamem {

// What stands before a formula's semicolon.
std::string_view expression_of(std::string_view symbols);
void set_formula(Explanation& e, std::string_view id);
// Legend and substitution from the symbols' values. Words can't be computed: then there is no substitution.
void fill(Explanation& e, const Symbols& symbols);

class DetailedExplainer {
  public:
    DetailedExplainer(const Plan& plan, const RankReport& rank);

    void explain(const LineItem& item, Explanation& e) const;
    // The tensors of the item's module, each as often as the rank has it.
    void explain_parameters(const LineItem& item, Explanation& e) const;
    void explain_in_flight(Explanation& e) const;

  private:
    void states(const LineItem& item, std::size_t state, bool every_module, Explanation& e) const;
    void derived(const LineItem& item, const Explanation& e, Symbols& symbols) const;
    void expert_buffers(Symbols& symbols) const;

    Problems ignored_;  // told in the report already
    detailed::Context context_;
    const RankReport& report_;
    std::int64_t rank_;
    Symbols symbols_;
};

}  // namespace megamem
