import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type ByteRange, type FileStorage, type OpenedFile, requireKey } from './storage.ts';

/** No key begins with a dot, so a draft can never be read as a file. */
const DRAFTS = '.drafts';
/** An active writer keeps changing its draft. A draft without changes for this long remains from a crash. */
const ABANDONED_MS = 3_600_000;
/** Files contain names and amounts, so only the owner has access. */
const DIRECTORY_MODE = 0o700;
const FILE_MODE = 0o600;

/** Stores files in one directory, which several processes on one machine may share. */
export function createDiskStorage(path: string, contentType: string): FileStorage {
  const directory = resolve(path);
  const pathOf = (key: string): string => {
    requireKey(key);
    return join(directory, key);
  };
  return {
    contentType,
    save: async (key, content) => save(directory, pathOf(key), content),
    open: async (key, range) => openFile(pathOf(key), range),
    size: async (key) => (await present(stat(pathOf(key))))?.size,
    remove: async (key) => rm(pathOf(key), { force: true }),
    presign: undefined,
  };
}

/** Writes a draft, syncs it and renames it: a reader sees either the old file or the new one. */
async function save(directory: string, path: string, content: Readable): Promise<{ bytes: number }> {
  // The content may fail before the pipeline listens for errors. The pipeline reports such an error later.
  content.on('error', () => {});
  const drafts = join(directory, DRAFTS);
  await mkdir(drafts, { recursive: true, mode: DIRECTORY_MODE });
  await removeAbandoned(drafts);
  const draft = join(drafts, randomUUID());
  try {
    const bytes = await writeDraft(draft, content);
    await mkdir(dirname(path), { recursive: true, mode: DIRECTORY_MODE });
    await rename(draft, path);
    await syncUpwards(dirname(path), directory);
    return { bytes };
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

async function writeDraft(draft: string, content: Readable): Promise<number> {
  await pipeline(content, createWriteStream(draft, { flags: 'wx', mode: FILE_MODE }));
  const file = await open(draft, 'r+');
  try {
    await file.sync();
    return (await file.stat()).size;
  } finally {
    await file.close();
  }
}

/** A new name is durable once its directory is synced, and a new directory once its parent is. */
async function syncUpwards(from: string, root: string): Promise<void> {
  for (let directory = from; ; directory = dirname(directory)) {
    const handle = await open(directory, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (directory === dirname(root)) return;
  }
}

/** Removes drafts of killed processes. Other processes may remove them concurrently. */
async function removeAbandoned(drafts: string): Promise<void> {
  for (const name of await readdir(drafts)) {
    const draft = join(drafts, name);
    const found = await stat(draft).catch(() => undefined);
    if (found && Date.now() - found.mtimeMs > ABANDONED_MS) await rm(draft, { force: true });
  }
}

async function openFile(path: string, range?: ByteRange): Promise<OpenedFile | undefined> {
  const file = await present(open(path, 'r'));
  if (!file) return undefined;
  try {
    const { size } = await file.stat();
    // The stream closes the file when it ends or is destroyed. With an explicit end it ends after the last byte.
    // Without one it needs another read to find the end of the file, and some clients disconnect before that.
    const { start, end } = range ?? { start: 0, end: size - 1 };
    const content = size === 0 ? file.createReadStream() : file.createReadStream({ start, end });
    return { content, bytes: size };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Undefined if the file does not exist. */
async function present<Found>(search: Promise<Found>): Promise<Found | undefined> {
  try {
    return await search;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return undefined;
  }
}
