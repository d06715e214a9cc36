import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessibilityFindings, describeInBrowser } from '../support/console/browser.ts';

const PAGE = `<!doctype html><html lang="en"><title>Bad</title><link rel="icon" href="data:,"><h1>Bad</h1><button></button>
<script>
  console.error('something went wrong');
  setTimeout(() => { throw new Error('uncaught'); });
  fetch('/broken');
  fetch('/cut').catch(() => {});
  new Image().src = 'http://elsewhere.test/pixel.png';
</script>
<script src="http://tracker.test/track.js"></script>`;

/** The other browser tests trust the harness to see what goes wrong; here it has to. */
describeInBrowser('the harness', (browser) => {
  let server: Server;
  let baseURL: string;

  beforeAll(async () => {
    server = createServer((request, response) => {
      if (request.url === '/cut') request.socket.destroy();
      else if (request.url === '/broken') response.writeHead(500).end();
      else
        response
          .writeHead(200, {
            'content-type': 'text/html',
            'content-security-policy': "script-src 'self' 'unsafe-inline'",
          })
          .end(PAGE);
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server?.close();
  });

  test('detects every kind of error in a page', async () => {
    browser.expectComplaint(/^console: something went wrong/);
    browser.expectComplaint(/^thrown: .*uncaught/);
    browser.expectComplaint(/^answer: 500 .*broken/);
    browser.expectComplaint(/^console: .*500/);
    browser.expectComplaint(/^failed: GET .*cut/);
    browser.expectComplaint(/^console: .*ERR_EMPTY_RESPONSE/);
    browser.expectComplaint(/^foreign: .*(?:pixel|track)/);
    browser.expectComplaint(/^failed: GET .*(?:pixel|track)/);
    browser.expectComplaint(/^console: .*ERR_NAME_NOT_RESOLVED/);
    browser.expectComplaint(/^console: content policy: script-src-elem forbids http:\/\/tracker/);
    browser.expectComplaint(/^console: .*violates the following Content Security Policy/);
    const page = await browser.open({ baseURL });
    await page.goto('/', { waitUntil: 'networkidle' });
  });

  test('detects accessibility faults', async () => {
    browser.expectComplaint(/./);
    const page = await browser.open({ baseURL });
    await page.goto('/', { waitUntil: 'networkidle' });
    expect(await accessibilityFindings(page)).toEqual([expect.stringMatching(/^button-name: button/)]);
    expect(await accessibilityFindings(page, { within: 'h1' })).toEqual([]);
  });
});
