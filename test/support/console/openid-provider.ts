import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';
import { secret } from '../../../src/kernel/secret.ts';
import {
  createOpenIdProvider,
  type OpenIdProvider,
  type OpenIdSettings,
} from '../../../src/operators/openid/provider.ts';
import { freePort } from '../server/free-port.ts';

type Claims = Record<string, unknown>;

/** A real OpenID provider, whose people sign in without a form. */
export interface TestProvider {
  issuer: string;
  /** By `sub`. */
  people: Map<string, Claims>;
  /** Who is at the provider's form. */
  person: string;
  /** Changes the ID token before it is signed, as a broken or hostile provider would. */
  spoil: (claims: Claims) => Claims;
  /** Another key than the published one signs. */
  signsWithOther: boolean;
  /** Requests that it has got, by path. */
  requests: string[];
  settings(change?: Partial<OpenIdSettings>): OpenIdSettings;
  client(change?: Partial<OpenIdSettings>): OpenIdProvider;
  close(): Promise<void>;
}

const CLIENT = { id: 'emboss', secret: 'a-secret-of-the-test-client-0123456789' };
const SCOPES = 'openid email profile groups';

export async function startOpenIdProvider(redirectUris: string[]): Promise<TestProvider> {
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  const keys = [newKey(), newKey()] as [KeyObject, KeyObject];
  const known = new Map<string, Claims>();
  const provider = new Provider(issuer, {
    clients: [
      {
        ...{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: redirectUris },
        ...{ grant_types: ['authorization_code'], response_types: ['code'] },
      },
    ],
    jwks: { keys: [{ ...keys[0].export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: 'ES256' }] },
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], groups: ['roles'] },
    cookies: { keys: ['a key of the test'] },
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      Grant: 600,
      IdToken: 600,
      Interaction: 600,
      Session: 600,
    },
    findAccount: (_context: unknown, accountId: string) => ({
      accountId,
      claims: async () => ({ sub: accountId, ...known.get(accountId) }),
    }),
    // Nobody is asked what the client may know.
    loadExistingGrant: async ({ oidc }: { oidc: Record<string, never> }) => {
      const {
        provider: own,
        client,
        session,
      } = oidc as never as {
        provider: { Grant: new (of: object) => { addOIDCScope(scope: string): void; save(): Promise<void> } };
        client: { clientId: string };
        session: { accountId: string };
      };
      const grant = new own.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope(SCOPES);
      await grant.save();
      return grant;
    },
  });
  const settings = (change: Partial<OpenIdSettings> = {}): OpenIdSettings => ({
    ...{ issuer, clientId: CLIENT.id, clientSecret: secret(CLIENT.secret), name: 'Example' },
    ...{ scopes: SCOPES, rolesClaim: 'roles', grants: undefined },
    ...change,
  });
  const test: TestProvider = {
    ...{
      issuer,
      people: known,
      person: 'ada',
      spoil: (claims) => claims,
      signsWithOther: false,
      requests: [],
    },
    settings,
    client: (change) => createOpenIdProvider(settings(change)),
    close: () => new Promise((done) => server.close(() => done()).closeAllConnections()),
  };
  provider.use(async (context, next) => {
    test.requests.push(context.path);
    await next();
    if (context.path !== '/token' || typeof context.body?.id_token !== 'string') return;
    const claims = JSON.parse(Buffer.from(context.body.id_token.split('.')[1], 'base64url').toString());
    context.body.id_token = signed(test.spoil(claims), test.signsWithOther ? keys[1] : keys[0]);
  });
  const answer = provider.callback();
  const server = createServer((request, response) => {
    if (!request.url?.startsWith('/interaction/')) return answer(request, response);
    void provider.interactionFinished(request, response, { login: { accountId: test.person } });
  });
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  return test;
}

const newKey = (): KeyObject => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return createPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' }));
};

function signed(claims: Claims, key: KeyObject): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const content = `${encode({ alg: 'ES256', kid: 'one', typ: 'JWT' })}.${encode(claims)}`;
  const signature = sign('sha256', Buffer.from(content), { key, dsaEncoding: 'ieee-p1363' });
  return `${content}.${signature.toString('base64url')}`;
}

/** A browser: it follows redirects until one leads back to `until`, and keeps the cookies of each server. */
export class Wanderer {
  readonly #cookies = new Map<string, Map<string, string>>();

  cookieHeader(origin: string): string {
    return [...(this.#cookies.get(origin) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  set(origin: string, lines: readonly string[]): void {
    const kept = this.#cookies.get(origin) ?? new Map<string, string>();
    for (const line of lines) {
      const [name = '', ...value] = (line.split(';')[0] as string).split('=');
      if (/max-age=0|expires=thu, 01 jan 1970/i.test(line)) kept.delete(name);
      else kept.set(name, value.join('='));
    }
    this.#cookies.set(origin, kept);
  }

  /** The address of the first redirect that begins with `until`, which is not requested. */
  async follow(start: string, until: string): Promise<string> {
    let url = start;
    for (let step = 0; step < 12 && !url.startsWith(until); step++) {
      const { origin } = new URL(url);
      const headers = { cookie: this.cookieHeader(origin) };
      const answer = await fetch(url, { redirect: 'manual', headers });
      this.set(origin, answer.headers.getSetCookie());
      const next = answer.headers.get('location');
      if (!next)
        throw new Error(`${url} is answered ${answer.status}: ${(await answer.text()).slice(0, 300)}`);
      url = new URL(next, url).href;
    }
    return url;
  }
}
