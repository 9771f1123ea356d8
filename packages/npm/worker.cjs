"use strict";

exports.createWorker = async (options) => (await import("megamem/worker")).createWorker(options);
