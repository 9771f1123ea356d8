// The picture of the stages under the field of the pipeline layout.
import assert from "node:assert/strict";

import { browserTest, scenarioOf, theEngine, useBrowser } from "./page.mjs";

useBrowser();

const field = "pipeline_model_parallel_layout";
const start = "#v=1&m=deepseek-v3&z=1";
const wide = { width: 1440, height: 1500 }; // the picture is in sight, below its field

// "rank chunk letters" of all stages in sight.
async function stages(app) {
    await app.field(field);
    await app.settle();
    return (await app.items())
        .filter((item) => item.label.startsWith("stage "))
        .map((item) => item.label.slice(6))
        .sort();
}

// The same, as the engine's report has them.
function reported(scenario) {
    const { ranks } = JSON.parse(theEngine().evaluate(JSON.stringify(scenario), "detailed"));
    return ranks.flatMap((rank) => rank.chunks.map((letters, i) => `${rank.pipeline_rank} ${i} ${letters}`)).sort();
}

browserTest("ranks by chunks, as the engine deals them, and a click selects", wide, async (app) => {
    await app.open(start);
    assert.deepEqual(await stages(app), reported(scenarioOf(start)));
    await app.click("stages 5");
    await app.click("attention.weight"); // of the rank that is selected now
    await app.item("explained 5 attention.weight");
});

browserTest("without a layout the picture shows Megatron's own split", wide, async (app) => {
    const base = scenarioOf("#v=1&m=llama-3.1-70b&z=1");
    const splits = [
        { num_virtual_stages_per_pipeline_rank: 5 },
        { account_for_embedding_in_pipeline_split: true, account_for_loss_in_pipeline_split: true, num_layers: 78 },
        {
            decoder_first_pipeline_num_layers: 12,
            decoder_last_pipeline_num_layers: 8,
            num_virtual_stages_per_pipeline_rank: 2,
        },
    ];
    for (const split of splits) {
        const scenario = { ...base, pipeline_model_parallel_size: 4, ...split };
        await app.open(theEngine().encodeLink(JSON.stringify(scenario), ""));
        const shown = await stages(app);
        assert.ok(shown.length >= 4, JSON.stringify(split));
        assert.deepEqual(shown, reported(scenario), JSON.stringify(split));
    }
});

browserTest("an error is shown under its character, while the stages can still be read", wide, async (app) => {
    await app.open(start);
    await app.fill(field, "Et|(tt|)*30mX");
    await app.item("layout-fault 12");
    assert.deepEqual(await stages(app), []);
    // A layer too many: the last stage with one is to blame.
    await app.fill(field, "Et|(tt|)*30tmL");
    await app.item("layout-fault 11");
    assert.ok((await stages(app)).includes("7 3 tmL"));
    await app.fill(field, "Et|(tt|)*30mL");
    await app.gone("layout-fault 11");
    assert.deepEqual(await stages(app), reported(scenarioOf(start)));
});
