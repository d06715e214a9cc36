import type { ByteRange } from './storage/storage.ts';

/** How a file of so many bytes answers a request. */
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
 * RFC 9110: ranges are for GET alone. Several at once, another unit and what cannot be read are answered with the whole
 * file, and so is every `If-Range`, since we hand out no validator that it could name. A part is never compressed: its
 * bytes are counted in the file.
 */
export function planDelivery(request: DownloadRequest, bytes: number): Delivery {
  const asked = request.method === 'GET' && request.ifRange === undefined ? request.range : undefined;
  const range = asked === undefined ? undefined : readRange(asked, bytes);
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
  // Without a beginning it is the end of the file that is asked for.
  const start = first === '' ? Math.max(bytes - Number(last), 0) : Number(first);
  const end = first === '' || last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1);
  return start <= end ? { start, end } : 'unsatisfiable';
}

/** `gzip` by name decides; else what is said of everything. `q=0` is a no. */
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
