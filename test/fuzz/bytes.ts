import type { FuzzRequest } from './fuzz-request.ts';

/** The bytes as they go over the wire. */
export function bytesOf({ method, target, headers, body, wire }: FuzzRequest, host: string): Buffer {
  const isChunked = headers.some(([name, value]) => name === 'transfer-encoding' && value === 'chunked');
  const lines = [
    ['host', host] as const,
    ...headers,
    ...(body && !isChunked ? [['content-length', String(body.length)] as const] : []),
  ];
  const head = [`${method} ${target} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`)].join(
    '\r\n',
  );
  return Buffer.concat([
    Buffer.from(`${wire ? wire(head) : head}\r\n\r\n`, 'latin1'),
    body ?? Buffer.alloc(0),
  ]);
}

const SECRET_HEADERS = /^(x-payments-api-key|x-network-key|cookie|x-csrf-token)$/;
const quote = (text: string): string =>
  `$'${text.replace(/[\\']/g, '\\$&').replace(/[^ -~]/g, (sign) => [...Buffer.from(sign)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join(''))}'`;

/** A shell command that sends the same again, without keys. */
export function shellLine(request: FuzzRequest, url: string): string {
  const headers = request.headers.map(
    ([name, value]) => [name, SECRET_HEADERS.test(name) ? '…' : value] as const,
  );
  const masked = { ...request, headers };
  const isPlain =
    !request.wire &&
    !headers.some(([name]) => name === 'transfer-encoding') &&
    /^[A-Z]+$/.test(request.method);
  if (!isPlain) {
    const { hostname, port, host } = new URL(url);
    return `printf %b ${quote(bytesOf(masked, host).toString('latin1').slice(0, 3_000))} | nc ${hostname} ${port}`;
  }
  const shown = headers.map(([name, value]) => ` -H ${quote(`${name}: ${value}`)}`).join('');
  const body =
    request.body === undefined ? '' : ` --data-binary ${quote(request.body.toString().slice(0, 3_000))}`;
  return `curl -i --path-as-is -X ${request.method}${shown}${body} ${quote(url + request.target)}`;
}
