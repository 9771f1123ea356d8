#include "app/asked.h"
#include "panels/panels.h"
#include "platform/platform.h"
#include "text/text.h"
#include "widgets/draw.h"

namespace megamem::web {

using namespace style;

void desk_missing() {
    if (platform::desk_state() != platform::DeskState::failed) {
        text(words::kPartLoading, colors().muted);
        return;
    }
    wrapped_text(words::kPartFailed, colors().bad);
    if (button(words::kTryAgain)) ask_desk_again();
}

}  // namespace megamem::web
