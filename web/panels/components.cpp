#include "panels/components.h"

#include "style/theme.h"

namespace megamem::web {

std::array<BarPart, kComponents> parts_of(const Totals& t) {
    const style::Palette& c = style::colors();
    return {{{"weights", t.weight, c.weight},
             {"FP8 copies", t.fp8_cache, c.fp8_cache},
             {"gradients", t.grad, c.grad},
             {"master", t.master, c.master},
             {"optimizer", t.optimizer, c.optimizer},
             {"activations", t.activation, c.activation},
             {"at the peak", t.transient, c.transient},
             {"vision", t.vision, c.vision},
             {"workspaces", t.workspace, c.workspace},
             {"reserve", t.reserve, c.reserve}}};
}

}  // namespace megamem::web
