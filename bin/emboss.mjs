#!/usr/bin/env node
// The `emboss` command. In a fresh clone it installs and builds first, so that one command is enough.
import cluster from 'node:cluster';
import { setUp } from './setup.mjs';

// Without a listener, Node opens its debugger on this signal.
process.on('SIGUSR1', () => {});

// The database driver looks here to see where it runs; in Node 20, which lacks it, it would load all of `fetch` instead:
// a twentieth of a start's CPU time.
globalThis.navigator ??= { userAgent: `Node.js/${process.versions.node}` };

// An API process runs what the process that started it has set up.
if (!cluster.isWorker) setUp();
const { runCommandLine } = await import('../dist/cli/emboss.js');
// After the loading: with other settings Node would compile its own modules again.
await import('./tune-v8.mjs');
process.exitCode = await runCommandLine(process.argv.slice(2));
