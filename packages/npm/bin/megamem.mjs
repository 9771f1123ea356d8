#!/usr/bin/env node
// `megamem mcp` serves assistants; everything else is the command line, compiled to WebAssembly.
import { createRequire } from "node:module";

const args = process.argv.slice(2);
try {
    if (args[0] === "mcp") {
        const { serveMcp } = await import("../mcp/server.mjs");
        process.exitCode = await serveMcp(args.slice(1));
    } else {
        const { runCli } = createRequire(import.meta.url)("../cli/megamem-cli.cjs");
        process.exitCode = await runCli(args);
    }
} catch (error) {
    console.error(`megamem: it broke down: ${error.message}`);
    process.exitCode = 3; // neither "fits" nor "doesn't fit"
}
