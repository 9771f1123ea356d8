// The side of the caller: each function of the engine as a request to the worker, answered by a promise.

/** `port`: { post(message), listen(onMessage, onFailure), close() } of a worker that runs worker-server.mjs. */
export async function connect(port, options) {
    const waiting = new Map();
    let count = 0;
    let failure = null;

    function fail(error) {
        failure = error;
        for (const { reject } of waiting.values()) reject(error);
        waiting.clear();
    }

    port.listen(({ id, result, error }) => {
        const request = waiting.get(id);
        waiting.delete(id);
        if (error) request?.reject(error);
        else request?.resolve(result);
    }, fail);

    const call = (name, ...args) =>
        new Promise((resolve, reject) => {
            if (failure) throw failure;
            const id = ++count;
            port.post({ id, name, args });
            waiting.set(id, { resolve, reject });
        });

    try {
        const { version, functions } = await call("load", options);
        const worker = { version };
        for (const name of functions) worker[name] = (...args) => call(name, ...args);
        worker.terminate = () => {
            fail(new Error("megamem: the worker was terminated"));
            return port.close();
        };
        return worker;
    } catch (error) {
        port.close();
        throw error;
    }
}
