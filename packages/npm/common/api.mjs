// The engine's functions with objects in and out. What is wrong with a scenario is data in the answer; a call that
// is wrong in itself throws a TypeError.
import createEngine from "./engine.mjs";

const kindOf = (value) => (value === null ? "null" : Array.isArray(value) ? "an array" : `a value of type ${typeof value}`);

function requireObject(value, what) {
    if (value === null || typeof value !== "object" || Array.isArray(value)) {
        throw new TypeError(`megamem: ${what} is an object, not ${kindOf(value)}`);
    }
    return value;
}

function requireText(value, what) {
    if (typeof value !== "string") throw new TypeError(`megamem: ${what} is a text, not ${kindOf(value)}`);
    return value;
}

function requireName(value, what, known) {
    if (!known.includes(value)) throw new TypeError(`megamem: ${what} is one of ${known.join(", ")}`);
    return value;
}

/** The functions of index.d.ts on an instance of the WebAssembly whose bytes these are. */
export async function start(wasmBinary) {
    const engine = await createEngine({ wasmBinary, printErr() {} });
    const { methods, formats } = JSON.parse(engine.names());
    const { models } = JSON.parse(engine.presets());
    const formatNames = formats.map((format) => format.name);
    const scenarioText = (scenario) => JSON.stringify(requireObject(scenario, "the scenario"));
    const methodName = ({ method = methods[0] }) => requireName(method, "the method", methods);
    const presetName = ({ preset = "" }) =>
        preset === "" ? "" : requireName(preset, "the preset", models.map((model) => model.id));

    return {
        version: engine.version(),
        methods: () => [...methods],
        formats: () => structuredClone(formats),
        fields: () => JSON.parse(engine.fields()),
        presets: () => JSON.parse(engine.presets()),

        estimate(scenario, options = {}) {
            return JSON.parse(engine.evaluate(scenarioText(scenario), methodName(options)));
        },

        explain(scenario, name, options = {}) {
            const { rank = -1 } = options;
            if (!Number.isInteger(rank) || (rank < 0 && "rank" in options)) {
                throw new TypeError("megamem: the rank is a whole number from 0");
            }
            const text = engine.explain(scenarioText(scenario), methodName(options), rank, requireText(name, "the name"));
            return JSON.parse(text).explanations;
        },

        importText(text, options = {}) {
            const texts = Array.isArray(text) ? text : [text];
            for (const one of texts) requireText(one, "what is imported");
            return JSON.parse(engine.importTexts(texts, scenarioText(options.base ?? {})));
        },

        exportText(scenario, format, options = {}) {
            requireName(format, "the format", formatNames);
            return JSON.parse(engine.exportText(scenarioText(scenario), format, methodName(options)));
        },

        encodeLink(scenario, options = {}) {
            const view = JSON.stringify(requireObject(options.view ?? {}, "the view"));
            return engine.encodeLink(scenarioText(scenario), presetName(options), methodName(options), view);
        },

        decodeLink(link) {
            return JSON.parse(engine.decodeLink(requireText(link, "the link")));
        },
    };
}
