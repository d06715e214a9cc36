import * as openid from 'openid-client';
import { EmbossError } from '../../kernel/error.ts';
import type { Secret } from '../../kernel/secret.ts';
import { reveal } from '../../kernel/secret.ts';
import { claimAt, type Grant } from './roles.ts';

export interface OpenIdSettings {
  issuer: string;
  clientId: string;
  clientSecret: Secret;
  /** What the console calls the provider: "Sign in with …". */
  name: string;
  scopes: string;
  rolesClaim: string;
  /** Undefined: roles are given on the page People. */
  grants: ReadonlyMap<string, Grant> | undefined;
}

/** What the server remembers of a request to the provider, in a sealed cookie. */
export interface Checks {
  state: string;
  nonce: string;
  verifier: string;
}

/** A person, as the provider has authenticated them. */
export interface Subject {
  issuer: string;
  subject: string;
  /** Only if the provider has verified it. */
  email: string | undefined;
  name: string | undefined;
  roles: unknown;
  /** When the person last entered credentials at the provider, in seconds. */
  authTime: number | undefined;
}

export interface OpenIdProvider extends Pick<OpenIdSettings, 'name' | 'grants'> {
  /** The address to which the browser goes. `again`: the person enters credentials even if signed in there. */
  begin(redirectUri: string, again: boolean): Promise<{ url: string; checks: Checks }>;
  /** Exchanges the code of the answer. Throws unless the answer belongs to `checks` and every claim is right. */
  finish(answer: URL, checks: Checks): Promise<Subject>;
}

/** For each request to the provider, in seconds. */
const TIME_LIMIT_SECONDS = 5;
const METADATA_LIFE_MS = 3_600_000;
/** After a failure requests are refused at once, so that a dead provider costs nothing. */
const FAILED_FOR_MS = 5_000;

/** Nothing is requested before the first sign-in: the server starts without the provider. */
export function createOpenIdProvider(settings: OpenIdSettings): OpenIdProvider {
  const configuration = rememberConfiguration(settings);
  return {
    name: settings.name,
    grants: settings.grants,
    begin: async (redirectUri, again) => {
      const config = await configuration();
      const verifier = openid.randomPKCECodeVerifier();
      const checks = { state: openid.randomState(), nonce: openid.randomNonce(), verifier };
      const url = openid.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: settings.scopes,
        state: checks.state,
        nonce: checks.nonce,
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(again && { prompt: 'login', max_age: '0' }),
      });
      return { url: url.href, checks };
    },
    finish: async (answer, { state, nonce, verifier }) => {
      const config = await configuration();
      const tokens = await openid.authorizationCodeGrant(config, answer, {
        ...{ expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier },
        idTokenExpected: true,
      });
      const token = tokens.claims() as openid.IDToken;
      const claims = await withUserInfo(config, settings, tokens.access_token, token);
      const text = (name: string) => (typeof claims[name] === 'string' ? claims[name] : undefined);
      return {
        ...{ issuer: token.iss, subject: token.sub, authTime: token.auth_time },
        email: claims['email_verified'] === true ? text('email') : undefined,
        name: text('name'),
        roles: claimAt(claims, settings.rolesClaim),
      };
    },
  };
}

/** Many providers have a person's address, or that it is verified, and groups only at the userinfo endpoint. */
async function withUserInfo(
  config: openid.Configuration,
  { rolesClaim, grants }: OpenIdSettings,
  accessToken: string,
  token: openid.IDToken,
): Promise<Record<string, unknown>> {
  const hasAddress = token['email'] !== undefined && token['email_verified'] !== undefined;
  const isComplete = hasAddress && (grants === undefined || claimAt(token, rolesClaim) !== undefined);
  if (isComplete || config.serverMetadata().userinfo_endpoint === undefined) return token;
  const info = await openid.fetchUserInfo(config, accessToken, token.sub);
  // What one of them says about an address never verifies the address of the other.
  const { email, email_verified } = hasAddress ? token : info;
  return { ...info, ...token, email, email_verified };
}

/** The provider's metadata, read again every hour. The last known is kept while the provider does not respond. */
function rememberConfiguration(settings: OpenIdSettings): () => Promise<openid.Configuration> {
  let known: openid.Configuration | undefined;
  let reading: Promise<openid.Configuration> | undefined;
  let readAgainAtMs = 0;
  const read = async (): Promise<openid.Configuration> => {
    try {
      known = await discover(settings);
      readAgainAtMs = performance.now() + METADATA_LIFE_MS;
      return known;
    } catch (error) {
      readAgainAtMs = performance.now() + FAILED_FOR_MS;
      if (known) return known;
      throw new EmbossError(
        503,
        'The sign-in provider is unavailable; retry, or sign in with your password',
        {
          cause: error,
        },
      );
    }
  };
  return () => {
    if (!reading || performance.now() >= readAgainAtMs) {
      readAgainAtMs = Number.POSITIVE_INFINITY;
      reading = read();
    }
    return reading;
  };
}

/** Signatures are verified although TLS has authenticated the provider: a proxy between may end TLS. */
function discover({ issuer, clientId, clientSecret }: OpenIdSettings): Promise<openid.Configuration> {
  const isPlain = issuer.startsWith('http:');
  return openid.discovery(new URL(issuer), clientId, undefined, withSecret(reveal(clientSecret)), {
    timeout: TIME_LIMIT_SECONDS,
    execute: [openid.enableNonRepudiationChecks, ...(isPlain ? [openid.allowInsecureRequests] : [])],
  });
}

/** In the header unless the provider's metadata exclude it. */
const withSecret =
  (secret: string): openid.ClientAuth =>
  (server, ...rest) => {
    const known = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const authenticate = known.includes('client_secret_basic')
      ? openid.ClientSecretBasic
      : openid.ClientSecretPost;
    authenticate(secret)(server, ...rest);
  };
