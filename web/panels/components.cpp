#include "panels/components.h"

#include "style/theme.h"

namespace megamem::web {

std::array<BarPart, kComponents> parts_of(const Totals& totals) {
    const style::Palette& c = style::colors();
    const ImU32 colors[kComponents] = {c.weight,     c.fp8_cache, c.grad,   c.master,    c.optimizer,
                                       c.activation, c.transient, c.vision, c.workspace, c.reserve};
    std::array<BarPart, kComponents> parts;
    for (std::size_t i = 0; i < kComponents; ++i) {
        const Component& component = kComponentsOfTotal[i];
        parts[i] = {component.name, totals.*component.bytes, colors[i], component.key};
    }
    return parts;
}

}  // namespace megamem::web
