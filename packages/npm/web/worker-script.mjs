import { serve } from "../common/worker-server.mjs";
import { load } from "./index.mjs";

serve(load, {
    post: (message) => self.postMessage(message),
    listen: (onMessage) => self.addEventListener("message", ({ data }) => onMessage(data)),
});
