// The package as a user has it: packed by npm, unpacked into the node_modules of an empty project.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
export const packed = path.join(root, "dist/npm");

export function run(command, args, options = {}) {
    const done = spawnSync(command, args, { encoding: "utf8", maxBuffer: 1 << 28, ...options });
    if (done.error && done.error.code !== "EPIPE") throw done.error; // EPIPE: it left its input unread, as it may
    return { status: done.status, stdout: done.stdout, stderr: done.stderr };
}

function must(command, args, options) {
    const { status, stdout, stderr } = run(command, args, options);
    if (status !== 0) throw new Error(`${command} ${args.join(" ")} ends with ${status}: ${stderr}`);
    return stdout;
}

/** A project with the package. `remove` after use. */
export class Project {
    constructor() {
        this.folder = mkdtempSync(path.join(tmpdir(), "megamem-npm-"));
        const [{ filename }] = JSON.parse(must("npm", ["pack", "--json", "--pack-destination", this.folder], { cwd: packed }));
        this.package = path.join(this.folder, "node_modules/megamem");
        mkdirSync(path.join(this.folder, "node_modules/.bin"), { recursive: true });
        mkdirSync(this.package);
        must("tar", ["-xzf", path.join(this.folder, filename), "--strip-components=1", "-C", this.package]);
        symlinkSync("../megamem/bin/megamem.mjs", path.join(this.folder, "node_modules/.bin/megamem"));
        this.write("package.json", '{ "private": true }\n');
    }
    write(name, text) {
        writeFileSync(path.join(this.folder, name), text);
        return path.join(this.folder, name);
    }
    read(name) {
        return readFileSync(path.join(this.folder, name), "utf8");
    }
    /** Lets the project find one of this project's own packages. */
    link(name) {
        const place = path.join(this.folder, "node_modules", name);
        mkdirSync(path.dirname(place), { recursive: true });
        symlinkSync(path.join(root, "node_modules", name), place);
    }
    node(args, options) {
        return run(process.execPath, args, { cwd: this.folder, ...options });
    }
    remove() {
        rmSync(this.folder, { recursive: true });
    }
}
