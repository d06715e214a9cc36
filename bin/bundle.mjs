// Builds the program: a few files instead of 1,500. Half of the CPU time of a start was the loading of modules.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * Built files are two folders below the root, as deep as the sources that look for files there. With `modules`, each
 * module stays a file of its own, and packages stay where they are.
 */
export const bundle = (sources, folder, modules = false) =>
  build({
    cwd: root,
    input: sources,
    platform: 'node',
    // Few starts need these.
    external: modules ? /^[@a-z](?!.*\.ts$)/ : ['node-pg-migrate', 'pg-native', 'pg-cloudflare'],
    output: {
      dir: folder,
      entryFileNames: '[name].js',
      chunkFileNames: '[name].js',
      sourcemap: true,
      // V8 loads a file faster if every letter is one byte. Comments would keep other letters.
      charset: 'ascii',
      comments: { jsdoc: false },
      ...(modules && { preserveModules: true, preserveModulesRoot: 'src' }),
    },
  });

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundle(['src/cli/emboss.ts'], 'dist/cli');
