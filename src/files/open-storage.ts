import { createDiskStorage } from './disk-storage.ts';
import type { S3Settings } from './s3-request.ts';
import { createS3Storage } from './s3-storage.ts';
import type { FileStorage } from './storage.ts';

export type StorageSettings = { kind: 'disk'; directory: string } | ({ kind: 's3' } & S3Settings);

/** Accesses neither disk nor network: an unavailable storage fails when it is used. */
export const openStorage = (settings: StorageSettings, contentType: string): FileStorage =>
  settings.kind === 's3'
    ? createS3Storage(settings, contentType)
    : createDiskStorage(settings.directory, contentType);
