/** Loads an addon, or a file beside the worker entry, with the `require` of that entry: `createRequire` would have each thread load `node:module`. */
export const loadFile: NodeJS.Require = require
