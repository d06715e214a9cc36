import { register } from 'node:module';
import { pathToFileURL } from 'node:url';
import { PLANTED_FAULTS } from './planted-faults.ts';

/**
 * Loaded before the program (`node --import`), with the name of a fault and the directory of the release. Each module in which
 * the fault replaces an export is loaded under another address, behind one that has the replacement.
 */
const { CHAOS_PLANTED: name, CHAOS_RELEASE: release } = process.env;
const replaced = PLANTED_FAULTS.find((fault) => fault.name === name)?.replaced ?? [];
const modules = new Map(
  replaced.map(({ file, exports }) => [pathToFileURL(`${release}/dist/${file}.js`).href, exports]),
);

Object.assign(globalThis, {
  plant: (url: string, original: never) =>
    Object.fromEntries(Object.entries(modules.get(url) ?? {}).map(([key, make]) => [key, make(original)])),
});
const names = Object.fromEntries([...modules].map(([url, exports]) => [url, Object.keys(exports)]));
register('./plant-hooks.mjs', { parentURL: import.meta.url, data: names });
