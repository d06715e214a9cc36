// Loaded into the measured server beside the product (`--expose-gc --import`): what remains after a collection
// is what the server keeps.
process.on('SIGUSR2', () => globalThis.gc());
