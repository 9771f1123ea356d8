// Which layers of a mixture of experts are dense: config.json has a dozen ways to say it.
#pragma once

#include "import/hf_reader.h"

namespace megamem::hf {

void read_layer_kinds(Reader& reader);

}  // namespace megamem::hf
