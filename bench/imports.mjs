// Texts of nearly 5 MB in each style that can be pasted: the longest that the importers read.
const size = 4_900_000;
const filled = (text) => text.repeat(Math.ceil(size / text.length)).slice(0, size);
const numbered = (count, line) => Array.from({ length: count }, (_, i) => line(i));
const config = '{"model_type":"llama","hidden_size":64,"num_hidden_layers":4,';

export const largeTexts = {
    "config.json with 440 000 texts": () => `${config}"x":[${numbered(440_000, () => '"abcdefgh"')}]}`,
    "config.json with 200 000 keys": () => `${config}${numbered(200_000, (i) => `"key${i}":"value${i}"`)}}`,
    "script of comments": () =>
        `${filled("# a comment that says something of no use at all\n")}\ntorchrun a.py --num-layers 24`,
    "script of flags": () => `ARGS=(\n${filled("  --num-layers 24\n  --lr 1e-4\n")}\n)\ntorchrun a.py \${ARGS[@]}`,
    "YAML with 185 000 keys": () => numbered(185_000, (i) => `hidden_key${i}: ${i}\n`).join("") + "num_layers: 4\n",
    "log": () => filled("  hidden_size ................................. 4096\n  lr .......... 0.1\n"),
};

/** Milliseconds of the median of some readings, one text after the other. */
export function importTimes(engine) {
    return Object.entries(largeTexts).map(([name, make]) => {
        const text = make();
        const times = Array.from({ length: 7 }, () => {
            const begin = performance.now();
            engine.importText(text);
            return performance.now() - begin;
        });
        return [name, times.sort((a, b) => a - b)[3]];
    });
}
