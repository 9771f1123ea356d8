// The tables of the text beside the canvas.
#pragma once

#include "app/document.h"
#include "app/state.h"
#include "memory/compare.h"
#include "memory/report.h"

namespace megamem::web {

// The components that any rank has, and the total.
void ranks_table(Document& out, const Report& report);

// Of the selected rank: modules, the tensors of those that are unfolded, and what belongs to none, in the
// order that the canvas has them in.
void modules_table(Document& out, const State& s);

void shard_table(Document& out, const Shard& shard);

void methods_table(Document& out, const Comparison& comparison);

// The pinned scenario, A, and the open one, B: verdicts, inputs that differ, ranks and components.
void comparison_tables(Document& out, const Pinned& a, const State& b);

}  // namespace megamem::web
