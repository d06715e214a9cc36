import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type ByteRange, type OpenedFile, type ReportStorage, requireKey } from './storage.ts';

/** No key begins with a dot, so that drafts are never taken for files. */
const DRAFTS = '.drafts';
/** Writing touches a draft all the time: one that lay still for so long was left by a crash. */
const ABANDONED_MS = 3_600_000;
/** Reports hold names and amounts: they are the owner's alone. */
const DIRECTORY_MODE = 0o700;
const FILE_MODE = 0o600;

/** Report files under one directory, which several processes of one machine may share. */
export function createDiskStorage(place: string): ReportStorage {
  const directory = resolve(place);
  const pathOf = (key: string): string => {
    requireKey(key);
    return join(directory, key);
  };
  return {
    save: async (key, content) => save(directory, pathOf(key), content),
    open: async (key, range) => openFile(pathOf(key), range),
    size: async (key) => (await present(stat(pathOf(key))))?.size,
    remove: async (key) => rm(pathOf(key), { force: true }),
    presign: undefined,
  };
}

/** Written under another name and renamed when it is safe on the disk: a reader sees the old file or the new one. */
async function save(directory: string, path: string, content: Readable): Promise<{ bytes: number }> {
  // Content may fail before its first byte is asked for; the pipe tells of it later, and until then nobody else listens.
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

/** A new name is safe once its directory is, and a new directory once the one above it is. */
async function syncUpwards(from: string, root: string): Promise<void> {
  for (let place = from; ; place = dirname(place)) {
    const handle = await open(place, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (place === dirname(root)) return;
  }
}

/** What a killed process left behind. Another process may do the same at this moment. */
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
    // The stream closes the file when it ends or is destroyed.
    // With its end named, it ends with its last byte: to read once more for the end of the file takes longer than some
    // clients stay.
    const { start, end } = range ?? { start: 0, end: size - 1 };
    const content = size === 0 ? file.createReadStream() : file.createReadStream({ start, end });
    return { content, bytes: size };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Undefined where there is no such file. */
async function present<Found>(search: Promise<Found>): Promise<Found | undefined> {
  try {
    return await search;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return undefined;
  }
}
