// Makes dist/npm, the package `megamem`, from packages/npm and build/web: node scripts/lib/package-npm.mjs
// The types of scenarios, and every name that a call takes, come from the engine that is packed.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
const built = path.join(root, "build/web");
const target = path.join(root, "dist/npm");

function copy(from, to) {
    if (!existsSync(from)) throw new Error(`${path.relative(root, from)} is missing: run scripts/build web`);
    cpSync(from, path.join(target, to), { recursive: true });
}

const union = (names) => names.map((name) => JSON.stringify(name)).join(" | ");

function typeOf({ type, choices }) {
    if (type === "integer" || type === "decimal") return "number";
    if (type === "boolean") return "boolean";
    if (type === "choice") return union(choices);
    if (type === "list of words") return `(${union(choices)})[]`;
    return "string";
}

function member(field) {
    const sentences = [
        `${field.label}${field.unit ? `, in ${field.unit}` : ""}${field.required ? "; required" : ""}.`,
        `${field.help.replace(/[.\s]*$/, "")}.`,
        `Range: ${field.range}.${field.default ? ` Default: ${field.default}.` : ""}`,
    ];
    const comment = sentences.map((line) => `     * ${line.replaceAll("*/", "* /")}\n`).join("");
    return `    /**\n${comment}     */\n    ${field.key}?: ${typeOf(field)};\n`;
}

function generatedTypes(megamem) {
    return `
/** What the user sets; the keys are Megatron-LM's argument names. */
export interface Scenario {
    /** The version of this format: 1. */
    schema?: number;
${megamem.fields().map(member).join("")}}

export type Method = ${union(megamem.methods())};
export type ExportName = ${union(megamem.formats().map((format) => format.name))};
export type PresetId = ${union(megamem.presets().models.map((model) => model.id))};
`;
}

rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
copy(path.join(root, "packages/npm"), ".");
copy(path.join(built, "package/megamem.mjs"), "common/engine.mjs");
copy(path.join(built, "package/megamem.wasm"), "megamem.wasm");
// The command line, whose script finds its binary by name; ".cjs", as the package's scripts are ES modules.
copy(path.join(built, "megamem-cli.js"), "cli/megamem-cli.cjs");
copy(path.join(built, "megamem-cli.wasm"), "cli/megamem-cli.wasm");

const { load } = await import(pathToFileURL(path.join(target, "node/index.mjs")));
const megamem = await load();
const types = readFileSync(path.join(target, "index.d.ts"), "utf8") + generatedTypes(megamem);
// The same declarations twice, as TypeScript wants them once for each kind of module.
for (const name of ["index.d.ts", "index.d.cts"]) writeFileSync(path.join(target, name), types);
cpSync(path.join(target, "worker.d.ts"), path.join(target, "worker.d.cts"));

const description = JSON.parse(readFileSync(path.join(target, "package.json"), "utf8"));
const { name, ...rest } = description;
writeFileSync(
    path.join(target, "package.json"),
    `${JSON.stringify({ name, version: megamem.version, ...rest }, null, 2)}\n`,
);
