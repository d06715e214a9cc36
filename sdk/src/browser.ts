/** What the merchant's server needs to create a reveal session. */
export interface RevealSessionInput {
  /** SHA-256 of the verifier, which stays in this browser. */
  challenge: string;
  /** The origin of this page. */
  origin: string;
}

/** What the reveal page reports, without values. */
export interface RevealEvent {
  event: 'ready' | 'shown' | 'copied' | 'hidden' | 'failed';
  /** The copied field. */
  field?: 'number' | 'expiry' | 'cvv';
  /** Why there is no page: the error of `createSession`, or that the page did not load. */
  cause?: unknown;
}

export interface Reveal {
  /** Removes the page, and with it everything it shows. */
  destroy(): void;
}

const toBase64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');

async function newVerifier(): Promise<{ verifier: string; challenge: string }> {
  const verifier = toBase64Url(crypto.getRandomValues(new Uint8Array(32)));
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  return { verifier, challenge: toBase64Url(new Uint8Array(hash)) };
}

const READY_WITHIN_MS = 10_000;
const NOT_LOADED =
  'The reveal page did not load within 10 s: check the origin of the session, frame-src and the connection';

/** Another scheme, such as javascript:, would run in this page. */
function readUrl(session: { url?: unknown } | null | undefined): URL {
  const url = session?.url;
  if (typeof url !== 'string' || !/^https?:\/\//.test(url))
    throw new TypeError('createSession: must return {url}, the address of a reveal session');
  return new URL(url);
}

function createFrame(url: string, verifier: string): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.title = 'Card details';
  frame.allow = 'clipboard-write';
  frame.referrerPolicy = 'no-referrer';
  Object.assign(frame.style, { border: '0', width: '100%', height: '20em' });
  frame.src = `${url}#${verifier}`;
  return frame;
}

/**
 * Shows a card in `element`, in a page of Emboss that this page cannot read. `createSession` calls your own server, which
 * identifies the cardholder, creates a reveal session with this input and returns its `url`. The frame takes the page's
 * height.
 */
export function mountReveal(
  element: Element,
  createSession: (input: RevealSessionInput) => Promise<{ url: string }>,
  onEvent: (event: RevealEvent) => void = () => {},
): Reveal {
  const ending = new AbortController();
  const { signal } = ending;

  async function mount(): Promise<void> {
    const { verifier, challenge } = await newVerifier();
    const session = await createSession({ challenge, origin: location.origin });
    if (signal.aborted) return;
    const { href, origin } = readUrl(session);
    const frame = createFrame(href, verifier);
    const timer = setTimeout(() => fail(new Error(NOT_LOADED)), READY_WITHIN_MS);
    const receive = ({ source, origin: from, data }: MessageEvent): void => {
      if (source !== frame.contentWindow || from !== origin || data?.source !== 'emboss') return;
      clearTimeout(timer);
      const { event, field, height } = data;
      if (height) frame.style.height = `${height}px`;
      onEvent({ event, ...(field && { field }) });
    };
    addEventListener('message', receive, { signal });
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      frame.remove();
    });
    element.append(frame);
  }
  function fail(cause: unknown): void {
    if (signal.aborted) return;
    ending.abort();
    onEvent({ event: 'failed', cause });
  }
  mount().catch(fail);
  return { destroy: () => ending.abort() };
}
