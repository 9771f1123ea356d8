// The system's gzip: Node's own packs less densely, and not alike in all its versions.
import { execFileSync } from "node:child_process";

const done = new WeakMap(); // by Buffer: most files go both into the site and into the one file

export function gzip(bytes) {
    if (!done.has(bytes)) {
        done.set(bytes, execFileSync("gzip", ["-9", "-n"], { input: bytes, maxBuffer: 1 << 28 }));
    }
    return done.get(bytes);
}
