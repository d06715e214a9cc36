declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  interface Context {
    path: string;
    // biome-ignore lint/suspicious/noExplicitAny: the body of whatever endpoint.
    body: any;
    // biome-ignore lint/suspicious/noExplicitAny: the provider's own objects.
    oidc: any;
  }

  export class Provider {
    constructor(issuer: string, settings: object);
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
    use(step: (context: Context, next: () => Promise<void>) => Promise<void>): void;
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
  }
}
