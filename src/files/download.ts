import type { ByteRange } from './storage.ts';

/** How the server answers a download request. */
export type Delivery =
  | { kind: 'whole'; gzip: boolean }
  | { kind: 'part'; range: ByteRange }
  | { kind: 'unsatisfiable' };

export interface DownloadRequest {
  method: string;
  range?: string | undefined;
  ifRange?: string | undefined;
  acceptEncoding?: string | undefined;
}

/**
 * Follows RFC 9110: only GET accepts ranges. A request with several ranges, another unit, a malformed range or any
 * `If-Range` gets the whole file; the server issues no validators that `If-Range` could match. A part is never
 * compressed, because ranges count the bytes of the uncompressed file.
 */
export function planDelivery(request: DownloadRequest, bytes: number): Delivery {
  const header = request.method === 'GET' && request.ifRange === undefined ? request.range : undefined;
  const range = header === undefined ? undefined : readRange(header, bytes);
  if (range === 'unsatisfiable') return { kind: 'unsatisfiable' };
  if (range) return { kind: 'part', range };
  return { kind: 'whole', gzip: acceptsGzip(request.acceptEncoding ?? '') };
}

function readRange(header: string, bytes: number): ByteRange | 'unsatisfiable' | undefined {
  const match = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header);
  if (!match) return undefined;
  const [, first = '', last = ''] = match;
  if (first === '' && last === '') return undefined;
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined;
  // A range without a start (`bytes=-500`) requests the last bytes of the file.
  const start = first === '' ? Math.max(bytes - Number(last), 0) : Number(first);
  const end = first === '' || last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1);
  return start <= end ? { start, end } : 'unsatisfiable';
}

/** An entry for `gzip` takes precedence over `*`. A weight of 0 means no. */
function acceptsGzip(header: string): boolean {
  const weights = new Map(
    header.split(',').map((entry) => {
      const [coding = '', ...parameters] = entry.split(';').map((text) => text.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
      return [coding, Number(weight)];
    }),
  );
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0;
}
