// Loaded into the measured server beside the product (`--expose-gc --import`): what remains after a collection
// is what the server really keeps, whatever the collector's habits are.
process.on('SIGUSR2', () => globalThis.gc());
