// The tests in which browsers can differ, in Firefox as well.
import { firefox } from "./firefox.mjs";
import { runIn } from "./page.mjs";

runIn(firefox);

const shared = [
    "flow",
    "link",
    "keyboard",
    "input",
    "clipboard",
    "import",
    "undo",
    "splitter",
    "display",
    "top_bar",
    "language",
    "text_view",
];
for (const name of shared) await import(`./${name}.test.mjs`);
