import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A merchant's server that takes every webhook and does nothing with it. What is posted to /hang is never answered; what is
 * posted to /approve is approved at once.
 */
const server = createServer((request, response) => {
  request.resume();
  if (request.url === '/hang') return;
  const answer = request.url === '/approve' ? '{"decision":"APPROVE"}' : 'ok';
  request.on('end', () => response.end(answer));
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`ready http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.on('SIGTERM', () => process.exit(0));
