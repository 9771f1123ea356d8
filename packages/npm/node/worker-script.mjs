import { parentPort } from "node:worker_threads";

import { serve } from "../common/worker-server.mjs";
import { load } from "./index.mjs";

serve(load, {
    post: (message) => parentPort.postMessage(message),
    listen: (onMessage) => parentPort.on("message", onMessage),
});
