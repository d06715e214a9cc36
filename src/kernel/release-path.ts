import { fileURLToPath } from 'node:url';

/** The path of a file of the release. The sources here and the built files are equally deep: two folders below the root. */
export const releasePath = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
