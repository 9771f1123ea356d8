// What load() gives. Scenario and the names at the end come from the engine itself.

export interface LoadOptions {
    /** The bytes of megamem.wasm, for programs that have them. */
    wasmBinary?: ArrayBuffer | Uint8Array;
    /** Says where megamem.wasm is: a path or file URL in Node, an address in a browser. */
    locateFile?: (name: string) => string | { readonly href: string };
}

/** Loads the engine. Each call makes an instance of its own. */
export function load(options?: LoadOptions): Promise<Megamem>;

export interface MethodOption {
    /** Default: "detailed". */
    method?: Method;
}

/** Calls that are wrong in themselves throw a TypeError; what is wrong with a scenario stands in `problems`. */
export interface Megamem {
    readonly version: string;
    methods(): Method[];
    formats(): ExportFormat[];
    fields(): Field[];
    presets(): Presets;
    estimate(scenario: Scenario, options?: MethodOption): Report;
    /**
     * Formula, numbers and source of a cell ("attention.weight"), a total ("peak_allocated"), or all of a module or
     * term. Without `rank` on the worst one. Empty where there is no such name or rank, or no result.
     */
    explain(scenario: Scenario, name: string, options?: MethodOption & { rank?: number }): Explanation[];
    /**
     * Reads launch scripts, config.json, YAML arguments, overrides, logs, links. Of several texts a later one adds to
     * the earlier; `base` is the scenario that they are put on.
     */
    importText(text: string | string[], options?: { base?: Scenario }): Imported;
    exportText(scenario: Scenario, format: ExportName, options?: MethodOption): Exported;
    /** The hash of a link, "#v=1&...". Empty where the scenario has an error; estimate() says which. */
    encodeLink(scenario: Scenario, options?: LinkOptions): string;
    /** Takes hashes and whole addresses, and undoes what chat programs do to them. */
    decodeLink(link: string): DecodedLink;
}

export interface Problem {
    severity: "error" | "warning" | "info";
    code: string;
    /** The field, or another place in the input; empty where there is none. */
    path: string;
    message: string;
}

/** All sizes are bytes on one GPU. */
export interface Report {
    schema: number;
    method: Method;
    /** Without errors: there is a result. */
    valid: boolean;
    groups: Record<string, number>;
    parameters: { total: number; active: number };
    micro_batches: number;
    virtual_stages: number;
    ranks: RankReport[];
    worst_rank: number | null;
    /** Of the method "megatron-report" only. */
    shards?: Shard[];
    /** `fits` and `headroom_bytes` stand only in a valid report. */
    gpu: { id: string; usable_bytes: number; fits?: boolean; headroom_bytes?: number };
    problems: Problem[];
    assumptions: Assumption[];
    /** Errors on measured runs like this one; of the method "detailed" only. */
    evidence?: Record<string, unknown>;
}

export interface Assumption {
    id: string;
    message: string;
}

export interface RankReport {
    pipeline_rank: number;
    layers: { embedding: number; dense: number; moe: number; mtp: number; output: number };
    chunks: number;
    modules: ModuleRow[];
    activations: ActivationRow[];
    vision?: { modules: ModuleRow[]; activations: ActivationRow[] };
    /** The method "detailed" only, as are `in_flight` and `peak_event`. */
    others?: { component: string; kind: string; bytes: number; formula: string }[];
    in_flight?: number[];
    peak_event?: string;
    totals: Totals;
}

export interface ModuleRow {
    module: string;
    elements: number;
    weight: number;
    fp8_cache: number;
    grad: number;
    master: number;
    optimizer: number;
}

export interface ActivationRow {
    term: string;
    bytes: number;
    multiplicity: number;
    module?: string;
}

export interface Totals {
    weight: number;
    fp8_cache: number;
    grad: number;
    master: number;
    optimizer: number;
    activation: number;
    vision: number;
    /** From here to `peak_reserved`: the method "detailed" only. */
    transient?: number;
    workspace?: number;
    held?: number;
    steady_allocated?: number;
    peak_allocated?: number;
    peak_reserved?: number;
    reserve: number;
    total: number;
}

export interface Shard {
    name: string;
    parameters: number;
    weight_and_optimizer_bytes: number;
    activation_bytes: number | null;
    total_bytes: number | null;
    modules: { module: string; parameters: number; bytes: number }[];
    activations: { term: string; bytes: number }[];
}

export interface Explanation {
    cell: string;
    title: string;
    component: string;
    module: string;
    kind: string;
    /** The formula in symbols, and with this scenario's numbers. */
    symbols: string;
    substitution: string;
    multiplicity: number;
    bytes: number;
    unit: string;
    sum: boolean;
    source: string;
    legend: { symbol: string; value: string; meaning: string }[];
    parts: { name: string; text: string; bytes: number; cell: string }[];
    assumptions: Assumption[];
}

export interface Imported {
    scenario: Scenario;
    /** Required fields that nothing has set. */
    missing: FieldKey[];
    /** What became of every argument, text by text. */
    imports: ImportedText[];
    problems: Problem[];
}

export interface ImportedText {
    format: number;
    recognised: string;
    taken: Taken[];
    defaults: Taken[];
    neutral: Mention[];
    unknown: Mention[];
    questions: { key: FieldKey | ""; source: string; line: number; message: string }[];
    problems: Problem[];
}

export interface Taken {
    key: FieldKey;
    value: string;
    source: string;
    /** From 1; 0 where there is no single line. */
    line: number;
}

export interface Mention {
    source: string;
    line: number;
    note: string;
}

export interface Exported {
    text: string;
    problems: Problem[];
}

export interface ExportFormat {
    name: ExportName;
    label: string;
    /** A name for the file. */
    file: string;
    mime_type: string;
}

export interface LinkOptions extends MethodOption {
    /** The link holds only what differs from this model; without one, from the defaults. */
    preset?: PresetId;
    view?: LinkView;
}

/** What the page shows. */
export interface LinkView {
    tab?: string;
    /** Default: the worst. */
    rank?: number;
    /** The number whose formula is open. */
    cell?: string;
    language?: string;
}

export interface LinkedScenario {
    preset: PresetId | "";
    scenario: Scenario;
    /** Never an error: a bad value is dropped, and said here. */
    problems: Problem[];
}

export interface DecodedLink extends LinkedScenario {
    method: Method;
    view: LinkView;
    /** The product's version that made the link, and the number that it showed. */
    stamp?: { version: string; gib: string };
    /** The other scenario of a comparison. */
    compared?: LinkedScenario;
}

export interface Field {
    key: FieldKey;
    link_key: string;
    /** Megatron's argument; empty where there is none. */
    flag: string;
    negated: boolean;
    group: string;
    type: string;
    required: boolean;
    range: string;
    min?: number;
    max?: number;
    choices?: string[];
    default: string;
    unit: string;
    label: string;
    help: string;
}

export interface Presets {
    models: ModelPreset[];
    gpus: Gpu[];
}

export interface ModelPreset {
    id: PresetId;
    title: string;
    source: string;
    published_total_b: number;
    published_active_b: number;
    published_source: string;
    scenario: Scenario;
}

export interface Gpu {
    id: string;
    title: string;
    usable_bytes: number;
    source: string;
}

export type FieldKey = Exclude<keyof Scenario, "schema">;
