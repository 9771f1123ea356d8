// Stands behind the compiled command line in build/web/megamem-cli.js, which is thereby a program (`node
// megamem-cli.js estimate ...`) and a module (`require("./megamem-cli.js").runCli([...])`).

/** Runs the command line, with this process's files and standard streams; gives its exit status. */
async function runCli(args) {
    const { readFileSync } = require("fs");
    const { join } = require("path");
    const program = await createMegamemCli({
        // Read here: Emscripten 3.1.6 would call Node's fetch, which knows no files.
        wasmBinary: readFileSync(join(__dirname, "megamem-cli.wasm")),
        // The process is the caller's to end.
        quit: (status, exit) => {
            throw exit;
        },
    });
    return program.callMain(args);
}

module.exports = { runCli };

if (require.main === module) {
    runCli(process.argv.slice(2)).then(
        (status) => (process.exitCode = status),
        (error) => {
            console.error(`megamem: it broke down: ${error.message}`);
            process.exitCode = 3; // neither "fits" nor "doesn't fit"
        },
    );
}
