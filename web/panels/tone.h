// The colour of a verdict, and the ground that goes with it.
#pragma once

#include "app/mirror.h"
#include "style/theme.h"

namespace megamem::web {

struct Tone {
    ImU32 color;
    ImU32 soft;
};

inline Tone tone_of(Verdict verdict) {
    const style::Palette& c = style::colors();
    switch (verdict) {
        case Verdict::fits:
            return {c.good, c.good_soft};
        case Verdict::tight:
            return {c.warn, c.warn_soft};
        default:
            return {c.bad, c.bad_soft};
    }
}

}  // namespace megamem::web
