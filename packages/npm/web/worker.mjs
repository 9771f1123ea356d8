// createWorker() for browsers: the engine in a module worker.
import { connect } from "../common/worker-client.mjs";

export function createWorker({ wasmBinary, worker } = {}) {
    const own = worker ?? new Worker(new URL("./worker-script.mjs", import.meta.url), { type: "module" });
    return connect(
        {
            post: (message) => own.postMessage(message),
            listen(onMessage, onFailure) {
                own.addEventListener("message", ({ data }) => onMessage(data));
                own.addEventListener("error", ({ message }) =>
                    onFailure(new Error(`megamem: the worker failed: ${message ?? "its script did not load"}`)));
            },
            close: () => own.terminate(),
        },
        { wasmBinary },
    );
}
