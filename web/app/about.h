// The box that tells what this is: version, keys, licences.
#pragma once

namespace megamem::web {

void show_about();

}  // namespace megamem::web
