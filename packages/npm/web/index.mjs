// For browsers and their bundlers: the WebAssembly is fetched as bytes, so that its MIME type doesn't matter.
import { start } from "../common/api.mjs";

const ownWasm = new URL("../megamem.wasm", import.meta.url);

async function fetchBytes(address) {
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(`megamem: ${address} answers ${answer.status}`);
    return answer.arrayBuffer();
}

export async function load({ wasmBinary, locateFile } = {}) {
    return start(wasmBinary ?? (await fetchBytes(locateFile ? locateFile("megamem.wasm") : ownWasm)));
}
