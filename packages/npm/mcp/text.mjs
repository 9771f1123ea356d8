// A report in a few lines, for an assistant to read.
const gib = (bytes) => `${(bytes / 2 ** 30).toFixed(2)} GiB`;

export function reportText({ method, gpu, worst_rank, ranks, shards = [] }) {
    const verdict = gpu.fits
        ? `Fits on ${gpu.id}: ${gib(gpu.headroom_bytes)} of ${gib(gpu.usable_bytes)} are left.`
        : `Does not fit on ${gpu.id}: ${gib(-gpu.headroom_bytes)} more than its ${gib(gpu.usable_bytes)}.`;
    const rows = ranks.map(({ pipeline_rank, totals, peak_event }) => {
        const worst = pipeline_rank === worst_rank ? ", the worst" : "";
        return `Pipeline rank ${pipeline_rank}: ${gib(totals.total)}${peak_event ? `, peak in ${peak_event}` : ""}${worst}`;
    });
    const parts = shards.map(({ name, total_bytes }) => `${name}: ${total_bytes === null ? "no total" : gib(total_bytes)}`);
    return [`${verdict} Method: ${method}.`, ...rows, ...parts].join("\n");
}
