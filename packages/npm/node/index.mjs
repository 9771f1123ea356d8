// For Node: the WebAssembly comes from the file beside.
import { readFile } from "node:fs/promises";

import { start } from "../common/api.mjs";

const ownWasm = new URL("../megamem.wasm", import.meta.url);

export async function load({ wasmBinary, locateFile } = {}) {
    return start(wasmBinary ?? (await readFile(locateFile ? locateFile("megamem.wasm") : ownWasm)));
}
