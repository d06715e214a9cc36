import { queryOptions } from '@tanstack/react-query';
import { send } from './api.ts';
import type { OpenIdRedirect, SignInMethods } from './api-types.gen.ts';

/** The name of the OpenID provider; null: people sign in with passwords only. */
export const openIdQuery = queryOptions({
  queryKey: ['sign-in-methods'],
  queryFn: async () => (await send<SignInMethods>('GET', 'session/methods/')).openid,
  staleTime: Number.POSITIVE_INFINITY,
});

/** The page of the provider. Its answer is accepted only in this browser. */
export const beginOpenIdSignIn = async (body: { next?: string; invitation?: string }): Promise<string> =>
  (await send<OpenIdRedirect>('POST', 'session/openid/', { body })).url;

export const beginOpenIdConnection = async (body: object): Promise<string> =>
  (await send<OpenIdRedirect>('POST', 'session/openid/connect/', { body })).url;

const CHANNEL = 'emboss-confirmation';

/** Opens the provider in a window of its own, and waits until it says that the person has signed in again. */
export async function confirmAtProvider(): Promise<void> {
  const opened = window.open('about:blank', 'emboss-confirmation', 'popup,width=520,height=720');
  if (!opened) throw new Error('The browser blocked the window. Allow pop-ups for this page, and try again.');
  const channel = new BroadcastChannel(CHANNEL);
  try {
    const answered = new Promise<string | null>((answer) => {
      channel.onmessage = ({ data }) => answer(data as string | null);
    });
    const { url } = await send<OpenIdRedirect>('POST', 'session/openid/confirm/');
    opened.location = url;
    const refused = await answered;
    if (refused !== null) throw new Error(refusalWords(refused));
  } catch (error) {
    opened.close();
    throw error;
  } finally {
    channel.close();
  }
}

/** In that window, at its end. `refused`: as in the address. */
export function reportConfirmation(refused: string | undefined): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(refused ?? null);
  channel.close();
  window.close();
}

const REFUSALS: Record<string, string> = {
  expired: 'The sign-in took too long or was begun in another browser. Try again.',
  throttled: 'Too many failed sign-ins from this address. Try again in a minute.',
  provider: 'The sign-in provider did not confirm who you are. Try again.',
  cancelled: 'The sign-in was cancelled.',
  'no role': 'You have no role in Emboss. Ask the people who manage your account at the sign-in provider.',
  unknown: 'You have no account here. An administrator can invite you on the page People.',
  unverified:
    'The sign-in provider has not verified your e-mail address. An administrator can invite you instead.',
  taken:
    'Your e-mail address has an account here. Sign in with its password, and connect it on your account page.',
  invitation: 'The invitation was used, was revoked or has expired. Ask for a new one.',
  disabled: 'Your account is disabled.',
  'other person': 'That person is not the one of this account.',
  'not again': 'The sign-in provider did not ask you to sign in again.',
};

/** Why the provider's answer was refused, as the server's address names it. */
export const refusalWords = (reason: string): string => REFUSALS[reason] ?? (REFUSALS['provider'] as string);
