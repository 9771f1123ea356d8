// load() is asynchronous anyway, so that CommonJS can share the one implementation.
"use strict";

exports.load = async (options) => (await import("megamem")).load(options);
