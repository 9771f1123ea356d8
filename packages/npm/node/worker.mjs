// createWorker() for Node: the engine in a worker thread.
import { Worker } from "node:worker_threads";

import { connect } from "../common/worker-client.mjs";

export function createWorker({ wasmBinary } = {}) {
    const worker = new Worker(new URL("./worker-script.mjs", import.meta.url));
    return connect(
        {
            post: (message) => worker.postMessage(message),
            listen(onMessage, onFailure) {
                worker.on("message", onMessage);
                worker.on("error", onFailure);
            },
            close: () => worker.terminate(),
        },
        { wasmBinary },
    );
}
