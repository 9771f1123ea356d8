// `megamem check`: a gate before a launch, natively and as WebAssembly. What it should say follows from what
// `estimate` says of the same scenario.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";

import { megamem, megamemWasm } from "./support.mjs";

const GiB = 2 ** 30;
const script = `torchrun --nproc_per_node 8 pretrain_gpt.py --use-mcore-models --num-layers 32 --hidden-size 4096 \\
    --num-attention-heads 32 --seq-length 4096 --max-position-embeddings 4096 --micro-batch-size 1 \\
    --global-batch-size 64 --vocab-size 32000 --tensor-model-parallel-size 4 --bf16 --use-distributed-optimizer`;

let folder;
let run; // a script that leaves nothing open
let open;
before(() => {
    folder = mkdtempSync(path.join(tmpdir(), "megamem-check-"));
    run = path.join(folder, "run.sh");
    open = path.join(folder, "open.sh");
    writeFileSync(run, `${script} "$@"\n`);
    writeFileSync(open, `${script} --sequence-parallel --num-experts $EXPERTS --moe-router-topk 2\n`);
});
after(() => rmSync(folder, { recursive: true }));

/** Both programs' outcome, which must be the same. */
function check(args, input) {
    const native = megamem(["check", ...args], input);
    assert.deepEqual(megamemWasm(["check", ...args], input), native);
    return native;
}

function estimated(args) {
    const report = JSON.parse(megamem(["estimate", ...args, "--format", "json"]).stdout);
    const totals = report.ranks.map((rank) => rank.totals.total);
    return { report, needed: Math.max(...totals), usable: report.gpu.usable_bytes };
}

// A capacity in GiB with four places, this much above what is needed.
const capacity = (needed, more) => `${Math.ceil(((needed + more) / GiB) * 1e4) / 1e4}GiB`;

describe("exit status", () => {
    test("0: it fits with the margin", () => {
        const outcome = check([run, "--gpu", "h100-80", "--margin", "auto"]);
        assert.equal(outcome.status, 0, outcome.stderr);
        assert.match(outcome.stdout, /^fits: rank 0 needs [0-9.]+ GiB \+ [0-9.]+ GiB margin of 79\.11 GiB \(H100-80\), detailed; .*\n$/);
        assert.equal(outcome.stdout.split("\n").length, 2);
    });
    test("1: it does not fit", () => {
        const outcome = check([run, "--gpu", "rtx4090-24"]);
        assert.equal(outcome.status, 1);
        assert.match(outcome.stdout, /^does not fit: .* GiB too much\n$/);
    });
    test("2: bad input", () => {
        for (const args of [
            [path.join(folder, "nothing.sh")],
            [run, "--set", "tensor_model_parallel_size=3"],
            [run, "--set", "no_field=3"],
        ]) {
            const outcome = check(args);
            assert.equal(outcome.status, 2, args.join(" "));
            assert.match(outcome.stdout, /^bad input: ./);
        }
        for (const [args, pattern] of [
            [[run, "--gpu", "h100"], /--gpu is one of .*H100-80/],
            [[run, "--gpu", "0GiB"], /--gpu/],
            [[run, "--margin", "5"], /--margin is auto/],
            [[run, "--format", "table"], /--format is line/],
            [[run, "--method", "guess"], /--method is one of/],
            [[run, "--rank", "1"], /unknown option/],
        ]) {
            const outcome = check(args);
            assert.equal(outcome.status, 2, args.join(" "));
            assert.match(outcome.stderr, pattern);
            assert.equal(outcome.stdout, "");
        }
    });
    test("3: the script leaves a question open, until --set or a later file answers it", () => {
        const outcome = check([open, "--gpu", "H200-141"]);
        assert.equal(outcome.status, 3);
        assert.match(outcome.stdout, /^can't say: .*EXPERTS/);
        assert.ok([0, 1].includes(check([open, "--gpu", "H200-141", "--set", "num_experts=8"]).status));
        const answer = path.join(folder, "answer.yaml");
        writeFileSync(answer, "num_experts: 8\n");
        assert.ok([0, 1].includes(check([open, answer, "--gpu", "H200-141"]).status));
    });
    test("3: something isn't modelled, and what changes nothing is no hindrance", () => {
        assert.equal(check([run, "--set", "position_embedding_type=relative"]).status, 3);
        assert.equal(check([run, "--set", "droprate=0.5"]).status, 0);
    });
    test("3: no measured run tells the margin of another method", () => {
        assert.equal(check([run, "--method", "calculator"]).status, 3);
        assert.equal(check([run, "--method", "calculator", "--margin", "10%"]).status, 0);
    });
});

describe("margin", () => {
    test("given in GiB: fits with it, can't say within it, doesn't fit below", () => {
        const { needed } = estimated([run]);
        const status = (more) => check([run, "--gpu", capacity(needed, more), "--margin", "2GiB"]).status;
        assert.equal(status(2 * GiB), 0);
        assert.equal(status(1.9 * GiB), 3);
        assert.equal(status(0), 3);
        assert.equal(status(-0.01 * GiB), 1);
    });
    test("auto is the worst error of the like runs that estimate lists", () => {
        const { report, needed } = estimated([run]);
        const worst = Math.max(...report.evidence.runs.map(({ error }) => Math.abs(error)));
        assert.ok(report.evidence.alike >= 3 && worst > 0);
        const said = JSON.parse(check([run, "--format", "json"]).stdout);
        assert.ok(Math.abs(said.margin_bytes - (needed * worst) / (1 - worst)) <= 1);
        assert.match(said.margin_source, new RegExp(`^worst error of ${report.evidence.alike} measured runs like it`));
    });
    test("with fewer than three like runs: the worst peak error of all measured runs", () => {
        const args = ["--preset", "deepseek-v3"];
        const { report, needed } = estimated(args);
        assert.ok(report.evidence.alike < 3);
        const out = path.join(folder, "accuracy.json");
        megamem(["accuracy", "tests/data/measured_runs.json", "--json", out]);
        const { peak } = JSON.parse(readFileSync(out, "utf8")).summary;
        const kinds = Object.keys(peak).filter((kind) => !kind.endsWith(", flagged"));
        const worst = Math.max(...kinds.map((kind) => peak[kind].worst));
        const said = JSON.parse(check([...args, "--format", "json"]).stdout);
        // The evidence holds hundredths of a percent.
        assert.ok(Math.abs(said.margin_bytes - (needed * worst) / (1 - worst)) < needed * 1e-4);
        assert.match(said.margin_source, /^(no|only [12]) measured runs? (is|are) like it; worst error of all \d+: /);
    });
});

describe("formats", () => {
    test("JSON says the numbers of estimate", () => {
        const { report, needed, usable } = estimated([run, "--set", "name=a run"]);
        const outcome = check([run, "--set", "name=a run", "--format", "json", "--margin", "1GiB"]);
        const said = JSON.parse(outcome.stdout);
        const { verdict, worst_rank, needed_bytes, margin_bytes, usable_bytes, gpu, method } = said;
        assert.deepEqual(
            { verdict, worst_rank, needed_bytes, margin_bytes, usable_bytes, gpu, method },
            {
                verdict: "fits",
                worst_rank: report.worst_rank,
                needed_bytes: needed,
                margin_bytes: GiB,
                usable_bytes: usable,
                gpu: "H100-80",
                method: "detailed",
            },
        );
        assert.ok(said.reason && said.margin_source);
        assert.deepEqual(said.problems, report.problems);
        // The link is the scenario's, with the GPU that was asked for.
        const other = JSON.parse(check([run, "--gpu", "b200", "--format", "json"]).stdout);
        const again = estimated(["--link", other.link]);
        assert.equal(again.needed, estimated([run, "--set", "gpu=B200"]).needed);
        assert.equal(again.report.gpu.id, "B200");
    });
    test("JSON of bad input has no numbers", () => {
        const said = JSON.parse(check([path.join(folder, "nothing.sh"), "--format", "json"]).stdout);
        assert.equal(said.verdict, "bad_input");
        for (const key of ["needed_bytes", "margin_bytes", "worst_rank", "link"]) assert.equal(said[key], null, key);
    });
    test("Markdown: the verdict, the fullest ranks and the link", () => {
        const args = ["--preset", "llama-3.1-405b", "--set", "pipeline_model_parallel_size=32", "--set", "nodes=256"];
        const more = [...args, "--set", "pipeline_model_parallel_layout=none", "--set", "num_layers=128"];
        const { report } = estimated(more);
        assert.equal(report.ranks.length, 32);
        const text = check([...more, "--format", "markdown", "--page", "https://example.org/megamem/"]).stdout;
        assert.match(text, /^\*\*GPU memory: (fits|does not fit|can't say)\*\*\n/);
        assert.match(text, /\[Open in megamem\]\(https:\/\/example\.org\/megamem\/#v=1&m=llama-3\.1-405b&[^)]*\)/);
        const shown = [...text.matchAll(/^\| (\d+) \|.*\*\*([0-9.]+)\*\* \|$/gm)].map((row) => Number(row[1]));
        assert.equal(shown.length, 16);
        assert.match(text, /^16 other ranks need no more than these\.$/m);
        const total = (rank) => report.ranks[rank].totals.total;
        const least = Math.min(...shown.map(total));
        for (const { pipeline_rank } of report.ranks)
            assert.ok(shown.includes(pipeline_rank) || total(pipeline_rank) <= least);
    });
    test("Markdown lists the open questions, and no file can write its own", () => {
        const text = check([open, "--format", "markdown"]).stdout;
        assert.match(text, /^- warning: .*\$EXPERTS/m);
        const hostile = check(["-", "--format", "markdown"], JSON.stringify({ "[x](http://y)\n# z": 1, num_layers: 2 })).stdout;
        assert.doesNotMatch(hostile, /^# |[^\\]\[x/m);
    });
});
