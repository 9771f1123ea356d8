// The side of the worker: requests { id, name, args } become answers { id, result } or { id, error }.

/** `load`: the one of this environment; `port`: { post(message), listen(onMessage) }. */
export function serve(load, port) {
    let engine = null;
    async function answer(name, args) {
        if (name !== "load") return engine[name](...args);
        engine = await load(...args);
        const functions = Object.keys(engine).filter((key) => typeof engine[key] === "function");
        return { version: engine.version, functions };
    }
    port.listen(async ({ id, name, args }) => {
        try {
            port.post({ id, result: await answer(name, args) });
        } catch (error) {
            port.post({ id, error });
        }
    });
}
