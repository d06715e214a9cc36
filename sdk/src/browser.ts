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
  /** Why the page could not be mounted: the error of `createSession`. */
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

function createFrame(url: string, verifier: string): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.title = 'Card details';
  frame.allow = 'clipboard-write';
  frame.referrerPolicy = 'no-referrer';
  Object.assign(frame.style, { border: '0', width: '100%', height: '100%', minHeight: '19em' });
  frame.src = `${url}#${verifier}`;
  return frame;
}

/**
 * Shows a card in `element`, in a page of Emboss that this page cannot read. `createSession` calls your own server, which
 * checks who asks, creates a reveal session with this input and returns its `url`.
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
    const { url } = await createSession({ challenge, origin: location.origin });
    if (signal.aborted) return;
    const frame = createFrame(url, verifier);
    const { origin } = new URL(frame.src);
    const receive = ({ source, origin: from, data }: MessageEvent): void => {
      if (source !== frame.contentWindow || from !== origin || data?.source !== 'emboss') return;
      const { event, field } = data;
      onEvent({ event, ...(field && { field }) });
    };
    addEventListener('message', receive, { signal });
    signal.addEventListener('abort', () => frame.remove());
    element.append(frame);
  }
  mount().catch((cause: unknown) => {
    if (!signal.aborted) onEvent({ event: 'failed', cause });
  });
  return { destroy: () => ending.abort() };
}
