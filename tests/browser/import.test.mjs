// Import by paste, by file and by drop: the review first, then the scenario.
import assert from "node:assert/strict";

import { browserTest, scenarioOf, totalsOf, useBrowser } from "./page.mjs";

useBrowser();

const start = "#v=1&m=deepseek-v3&z=1";

const script = `#!/bin/bash
TP=2
ARGS=(
    --num-layers 24
    --hidden-size 2048
    --num-attention-heads 16
    --seq-length 4096
    --max-position-embeddings 4096
    --micro-batch-size 2
    --global-batch-size 64
    --vocab-size 50304
    --tensor-model-parallel-size $TP
    --bf16
    --log-interval 10
    --no-such-flag 3
)
torchrun --nproc_per_node 8 --nnodes 2 pretrain_gpt.py "\${ARGS[@]}"
`;

async function dropFile(app, name, text) {
    await app.page.evaluate(
        ([fileName, content]) => {
            const data = new DataTransfer();
            data.items.add(new File([content], fileName));
            window.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
        },
        [name, text],
    );
}

browserTest("a pasted script is reviewed, applied and undone", {}, async (app) => {
    await app.open(start);
    const before = await app.totals();
    await app.paste(script);
    await app.item("Apply");
    assert.deepEqual(await app.totals(), before, "nothing is applied unseen");
    assert.match((await app.item("take num_layers")).status, /checked/);
    await app.click("Apply");
    await app.gone("Apply");
    await app.waitForHash(/&l=24&/);
    const scenario = scenarioOf(await app.hash());
    assert.equal(scenario.tensor_model_parallel_size, 2);
    assert.equal(scenario.nodes, 2);
    assert.equal(scenario.gpus_per_node, 8);
    assert.equal(scenario.vocab_size, 50304);
    await app.assertShowsItsLink();
    await app.press("Control+z");
    await app.waitForTotals(before);
});

browserTest("a field left out of the import keeps its old value", {}, async (app) => {
    await app.open(start);
    await app.paste(script);
    await app.click("the open scenario");
    await app.click("take tensor_model_parallel_size");
    await app.click("Apply");
    await app.waitForHash(/&l=24&/);
    assert.equal(
        scenarioOf(await app.hash()).tensor_model_parallel_size,
        scenarioOf(start).tensor_model_parallel_size,
    );
});

browserTest("a dropped file with a variable that nobody set asks for its value", {}, async (app) => {
    await app.open(start);
    await dropFile(app, "run.sh", script.replace("TP=2\n", ""));
    await app.item("answer tensor_model_parallel_size");
    await app.click("answer tensor_model_parallel_size");
    await app.type("4");
    await app.settle();
    await app.click("Apply");
    await app.waitForHash(/&tp=4/);
    await app.assertShowsItsLink();
});

browserTest("two pastes add up; one can be removed; Escape leaves all as it was", {}, async (app) => {
    await app.open(start);
    const before = await app.totals();
    await app.paste(script);
    await app.item("remove 0");
    await app.paste("--tensor-model-parallel-size 8 --micro-batch-size 1");
    await app.item("remove 1");
    await app.click("remove 1");
    await app.gone("remove 1");
    await app.press("Escape");
    await app.gone("Apply");
    assert.deepEqual(await app.totals(), before);
    assert.equal(await app.hash(), start);
});

browserTest("what is no configuration is told, and nothing can be applied", {}, async (app) => {
    await app.open(start);
    await dropFile(app, "config.json", "<!DOCTYPE html><html><body>404</body></html>");
    await app.item("remove 0");
    assert.equal(await app.find("Apply"), undefined);
    await app.click("Cancel");
    await app.gone("remove 0");
    assert.deepEqual(await app.totals(), totalsOf(scenarioOf(start)));
});

browserTest("a box to paste and type into, for those who can't paste onto the page", {}, async (app) => {
    await app.open();
    await app.click("Import");
    await app.click("Paste or type");
    const field = app.page.locator("#paste-field");
    await field.waitFor();
    await app.type("tp 8, seq 32K ");
    await app.press("Backspace");
    assert.equal(await field.inputValue(), "tp 8, seq 32K");
    await app.page.locator("#paste-read").click();
    await app.item("take tensor_model_parallel_size");
    await app.item("take seq_length");
    // Nothing is read of a box that was left.
    await app.click("Paste or type");
    await app.type("pp 4");
    await app.press("Escape");
    await app.page.locator("#paste-box").waitFor({ state: "hidden" });
    assert.equal(await app.find("take pipeline_model_parallel_size"), undefined);
    await app.item("Apply");
});
