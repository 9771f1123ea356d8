#include "panels/components.h"

#include "style/theme.h"

namespace megamem::web {

std::array<BarPart, kComponents> parts_of(const Totals& t) {
    const style::Palette& c = style::colors();
    return {{{"weights", t.weight, c.weight, "weight"},
             {"FP8 copies", t.fp8_cache, c.fp8_cache, "fp8_cache"},
             {"gradients", t.grad, c.grad, "grad"},
             {"master", t.master, c.master, "master"},
             {"optimizer", t.optimizer, c.optimizer, "optimizer"},
             {"activations", t.activation, c.activation, "activation"},
             {"at the peak", t.transient, c.transient, "transient"},
             {"vision", t.vision, c.vision, "vision"},
             {"workspaces", t.workspace, c.workspace, "workspace"},
             {"reserve", t.reserve, c.reserve, "reserve"}}};
}

}  // namespace megamem::web
