#!/usr/bin/env node
// The `emboss` command. In a fresh clone it installs and builds first, so that one command is enough.
import { setUp } from './setup.mjs';

// Without a listener, Node opens its debugger on this signal.
process.on('SIGUSR1', () => {});

setUp();
const { runCommandLine } = await import('../dist/cli/emboss.js');
process.exitCode = await runCommandLine(process.argv.slice(2));
