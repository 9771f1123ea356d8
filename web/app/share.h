// Giving the scenario to others. Where the browser refuses to copy, the text is shown selected.
#pragma once

namespace megamem::web {

void copy_link();
void copy_markdown();     // the link, the verdict and the table of ranks
void open_share_sheet();  // the system's

}  // namespace megamem::web
