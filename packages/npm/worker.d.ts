import type { Megamem } from "megamem";

export interface WorkerOptions {
    /** The bytes of megamem.wasm, for programs that have them. */
    wasmBinary?: ArrayBuffer | Uint8Array;
    /** In browsers: a worker that runs megamem/worker-script, where a page starts its workers itself. */
    worker?: { postMessage(message: unknown): void; terminate(): void };
}

type Functions = Omit<Megamem, "version">;

/** The functions of Megamem, each answered by a promise. */
export type MegamemWorker = {
    [Name in keyof Functions]: (...args: Parameters<Functions[Name]>) => Promise<ReturnType<Functions[Name]>>;
} & {
    readonly version: string;
    terminate(): void | Promise<number>;
};

/** Loads the engine in a worker of its own. */
export function createWorker(options?: WorkerOptions): Promise<MegamemWorker>;
