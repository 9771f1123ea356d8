// The tools of `megamem mcp`: estimate, import, explain, link.
import { reportText } from "./text.mjs";

const lines = (problems) => problems.map(({ severity, message }) => `${severity}: ${message}`);
const errorsOf = (problems) => problems.filter(({ severity }) => severity === "error");

function refuse(sentence) {
    return { isError: true, content: [{ type: "text", text: sentence }] };
}

function answer(text, structuredContent) {
    return { content: [{ type: "text", text }], structuredContent };
}

/** What can start a scenario; exactly one of the first four is given. */
function sourceSchema(z) {
    return {
        scenario: z.record(z.unknown()).optional().describe("Scenario: Megatron-LM's argument names and their values"),
        text: z.string().optional().describe("Launch script, config.json, YAML arguments, overrides or notes like 'tp 8'"),
        link: z.string().optional().describe("Link of megamem"),
        preset: z.string().optional().describe("Known model, such as deepseek-v3; with text: what the text is put on"),
        set: z.record(z.unknown()).optional().describe("Fields to change on top, by Megatron-LM's argument name"),
    };
}

/** { scenario, preset, problems } or { error }. */
function readSource(megamem, { scenario, text, link, preset, set = {} }) {
    const sources = [scenario, text, link].filter((source) => source !== undefined);
    if (sources.length > 1 || (sources.length === 0 && preset === undefined) || (preset !== undefined && (scenario ?? link) !== undefined)) {
        return { error: "Give one of scenario, link, preset or text (text also together with preset)." };
    }
    let base = {};
    if (preset !== undefined) {
        const { models } = megamem.presets();
        base = models.find(({ id }) => id === preset)?.scenario;
        if (!base) return { error: `Unknown preset "${preset}"; known are ${models.map(({ id }) => id).join(", ")}.` };
    }
    const start =
        text !== undefined
            ? megamem.importText(text, { base })
            : link !== undefined
              ? megamem.decodeLink(link)
              : { scenario: scenario ?? base, problems: [] };
    const errors = errorsOf(start.problems);
    if (errors.length > 0) return { error: lines(errors).join("\n") };
    return { scenario: { ...start.scenario, ...set }, preset: preset ?? (start.preset || undefined), problems: start.problems };
}

const linkOf = (megamem, { scenario, preset }, method) => megamem.encodeLink(scenario, { preset, method });

function estimate(megamem, input) {
    const source = readSource(megamem, input);
    if (source.error) return refuse(source.error);
    const report = megamem.estimate(source.scenario, { method: input.method });
    if (!report.valid) return refuse(lines(errorsOf(report.problems)).join("\n"));
    const { valid, method, gpu, worst_rank, parameters, groups, micro_batches, evidence, assumptions } = report;
    const problems = [...source.problems, ...report.problems];
    const ranks = report.ranks.map(({ pipeline_rank, totals, peak_event }) => ({ pipeline_rank, totals, peak_event }));
    const link = linkOf(megamem, source, method);
    const text = [reportText(report), ...lines(problems), `Link: ${link}`].join("\n");
    return answer(text, {
        valid, method, gpu, worst_rank, parameters, groups, micro_batches, ranks, evidence, assumptions, problems, link,
    });
}

function importTexts(megamem, { texts, preset }) {
    const base = preset === undefined ? { scenario: {}, problems: [] } : readSource(megamem, { preset });
    if (base.error) return refuse(base.error);
    const imported = megamem.importText(texts, { base: base.scenario });
    if (imported.imports.every(({ taken }) => taken.length === 0)) {
        return refuse(lines(imported.problems).join("\n") || "Nothing in it sets a field.");
    }
    const { scenario, missing, problems } = imported;
    const list = (name) => imported.imports.flatMap((one) => one[name]);
    const taken = list("taken").map(({ key, value, source }) => `${key} = ${value} (${source})`);
    const unknown = list("unknown").map(({ source }) => `unknown: ${source}`);
    const questions = list("questions").map(({ message }) => `open: ${message}`);
    const link = linkOf(megamem, { scenario, preset });
    const text = [...taken, ...unknown, ...questions, ...missing.map((key) => `missing: ${key}`), ...lines(problems)];
    return answer(text.join("\n"), {
        scenario, missing, unknown: list("unknown"), questions: list("questions"), problems, link,
    });
}

function explain(megamem, input) {
    const source = readSource(megamem, input);
    if (source.error) return refuse(source.error);
    const { name, rank, method } = input;
    const report = megamem.estimate(source.scenario, { method });
    if (!report.valid) return refuse(lines(errorsOf(report.problems)).join("\n"));
    const explanations = megamem.explain(source.scenario, name, rank === undefined ? { method } : { method, rank });
    if (explanations.length === 0) {
        return refuse(`There is no "${name}"${rank === undefined ? "" : ` on rank ${rank}`}; try total, peak_allocated, attention.weight.`);
    }
    const text = explanations.map(({ title, symbols, substitution, bytes, unit, source: from }) =>
        [title, symbols, `${substitution} = ${bytes} ${unit}`, from].filter(Boolean).join("\n"),
    );
    return answer(text.join("\n\n"), { explanations });
}

function link(megamem, input) {
    const source = readSource(megamem, input);
    if (source.error) return refuse(source.error);
    const made = linkOf(megamem, source);
    if (made === "") return refuse(lines(errorsOf(megamem.estimate(source.scenario).problems)).join("\n"));
    const text = [made, ...lines(source.problems)].join("\n");
    return answer(text, { link: made, scenario: megamem.decodeLink(made).scenario, problems: source.problems });
}

export function addTools(server, z, megamem) {
    const source = sourceSchema(z);
    const method = z.enum(megamem.methods()).optional().describe("Default: detailed");
    const readOnly = { readOnlyHint: true, idempotentHint: true, openWorldHint: false };
    const add = (name, description, inputSchema, handler) =>
        server.registerTool(name, { description, inputSchema, annotations: readOnly }, (input) => handler(megamem, input));

    add("estimate", "GPU memory of a Megatron-LM training run on every pipeline rank, and whether it fits",
        { ...source, method }, estimate);
    add("import", "The scenario that launch scripts, config.json and other files describe; a later text adds to the earlier",
        { texts: z.array(z.string()).min(1), preset: source.preset }, importTexts);
    add("explain", "Formula, numbers and source of a number in an estimate",
        {
            ...source,
            method,
            name: z.string().describe("attention.weight, total, peak_allocated, or a module or term"),
            rank: z.number().int().min(0).optional().describe("Pipeline rank; default: the worst"),
        }, explain);
    add("link", "The link of a scenario for people, and the scenario of a link", source, link);
}
