import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { findSignatureFault, type SignerKeys, sha256 } from './aws-signature.ts';

/** Stricter than fake S3 servers: it checks every signature and digest, and counts incomplete uploads. */
export interface S3Receiver {
  url: string;
  objects: Map<string, { content: Buffer; contentType: string }>;
  /** Uploads in parts that were neither completed nor aborted. */
  uploads: Map<string, Map<number, Buffer>>;
  /** `PUT /bucket/key?partNumber=1`, without what chance put into it. */
  arrivals: string[];
  /** May spoil a request: by an answer of its own, or by cutting the line. */
  meddle: ((request: IncomingMessage, response: ServerResponse, arrival: string) => boolean) | undefined;
  close(): void;
}

const SMALLEST_PART = 5 * 1024 * 1024;

export async function startS3Receiver(bucket: string, keys: SignerKeys): Promise<S3Receiver> {
  const objects: S3Receiver['objects'] = new Map();
  const uploads: S3Receiver['uploads'] = new Map();
  const receiver: S3Receiver = {
    url: '',
    objects,
    uploads,
    arrivals: [],
    meddle: undefined,
    close: () => {},
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', 'http://host');
    const uploadId = url.searchParams.get('uploadId') ?? '';
    const partNumber = url.searchParams.get('partNumber');
    const arrival = `${request.method} ${url.pathname}${partNumber ? `?partNumber=${partNumber}` : uploadId && '?uploadId'}${
      url.searchParams.has('uploads') ? '?uploads' : ''
    }`;
    receiver.arrivals.push(arrival);
    if (receiver.meddle?.(request, response, arrival)) return;
    const body = await buffer(request);
    const refuse = (status: number, code: string) => {
      // A real server repeats what it was sent.
      response.writeHead(status, { 'content-type': 'application/xml' });
      response.end(
        `<Error><Code>${code}</Code><Message>No</Message><AWSAccessKeyId>${keys.accessKeyId}</AWSAccessKeyId><StringToSign>${request.headers.authorization}</StringToSign></Error>`,
      );
    };
    const fault = findSignatureFault(
      { method: request.method ?? '', url: request.url ?? '', headers: request.headers },
      keys,
      Date.now(),
    );
    if (fault) return refuse(403, fault);
    const claimed = request.headers['x-amz-content-sha256'];
    if (claimed !== undefined && claimed !== sha256(body)) return refuse(400, 'XAmzContentSHA256Mismatch');
    const [, first, ...rest] = url.pathname.split('/');
    const key = rest.join('/');
    if (first !== bucket) return refuse(404, 'NoSuchBucket');
    const parts = uploads.get(uploadId);
    if (uploadId && !parts) return refuse(404, 'NoSuchUpload');

    if (request.method === 'POST' && url.searchParams.has('uploads')) {
      const id = `u&${uploads.size}<${Date.now()}>`;
      uploads.set(id, new Map());
      const escaped = id.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
      response.end(
        `<InitiateMultipartUploadResult><UploadId>${escaped}</UploadId></InitiateMultipartUploadResult>`,
      );
    } else if (request.method === 'PUT' && parts) {
      parts.set(Number(partNumber), body);
      response.writeHead(200, { etag: tagOf(body) }).end();
    } else if (request.method === 'POST' && parts) {
      const wanted = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]+)<\/ETag>/g)];
      const numbers = [...parts.keys()].sort((a, b) => a - b);
      const content = numbers.map((number) => parts.get(number) as Buffer);
      const isRight = wanted.every(
        ([, number, tag], index) =>
          Number(number) === index + 1 && tag?.replaceAll('&quot;', '"') === tagOf(content[index] as Buffer),
      );
      if (!isRight || wanted.length !== content.length) return refuse(400, 'InvalidPart');
      if (content.slice(0, -1).some((part) => part.length < SMALLEST_PART))
        return refuse(400, 'EntityTooSmall');
      objects.set(key, { content: Buffer.concat(content), contentType: '' });
      uploads.delete(uploadId);
      response.end('<CompleteMultipartUploadResult></CompleteMultipartUploadResult>');
    } else if (request.method === 'DELETE' && parts) {
      uploads.delete(uploadId);
      response.writeHead(204).end();
    } else if (request.method === 'PUT') {
      objects.set(key, { content: body, contentType: request.headers['content-type'] ?? '' });
      response.writeHead(200, { etag: tagOf(body) }).end();
    } else if (request.method === 'DELETE') {
      objects.delete(key);
      response.writeHead(204).end();
    } else {
      const object = objects.get(key);
      if (!object) return refuse(404, 'NoSuchKey');
      const size = object.content.length;
      const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
      const part = start ? object.content.subarray(Number(start), Number(end) + 1) : object.content;
      response.writeHead(start ? 206 : 200, {
        'content-length': part.length,
        'content-type': url.searchParams.get('response-content-type') ?? object.contentType,
        'content-disposition': url.searchParams.get('response-content-disposition') ?? 'inline',
        ...(start ? { 'content-range': `bytes ${start}-${Number(start) + part.length - 1}/${size}` } : {}),
      });
      response.end(part);
    }
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  receiver.close = () => {
    server.closeAllConnections();
    server.close();
  };
  return receiver;
}

const tagOf = (content: Buffer): string => `"${createHash('md5').update(content).digest('hex')}"`;
