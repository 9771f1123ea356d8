// `megamem mcp`: the Model Context Protocol over standard input and output.
import { load } from "../node/index.mjs";

const missing =
    "megamem: mcp needs the packages @modelcontextprotocol/sdk and zod; install megamem with npm while you are online, and they come with it";

async function importSdk() {
    try {
        const [{ McpServer }, { StdioServerTransport }, { z }] = await Promise.all([
            import("@modelcontextprotocol/sdk/server/mcp.js"),
            import("@modelcontextprotocol/sdk/server/stdio.js"),
            import("zod"),
        ]);
        return { McpServer, StdioServerTransport, z };
    } catch (error) {
        if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
        return null;
    }
}

/** Serves until standard input ends; gives the exit status. */
export async function serveMcp(args) {
    if (args.length > 0) {
        console.error("megamem: mcp takes no arguments");
        return 2;
    }
    const sdk = await importSdk();
    if (!sdk) {
        console.error(missing);
        return 2;
    }
    const { addTools } = await import("./tools.mjs");
    const megamem = await load();
    const server = new sdk.McpServer({ name: "megamem", version: megamem.version });
    addTools(server, sdk.z, megamem);
    await server.connect(new sdk.StdioServerTransport());
    return 0;
}
