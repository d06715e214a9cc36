import type { AnswerOnce } from '../../http/idempotency.ts';
import type { App } from '../../http/server.ts';
import type { ConfirmServices } from '../confirm-request.ts';
import { programDesignRoutes } from './design-routes.ts';
import { feeRoutes } from './fee-routes.ts';
import { fundingRoutes } from './funding-routes.ts';

/** What an administrator changes in a program: its money, fees and designs, each confirmed with the password. */
export function programRoutes(app: App, services: { signIn: ConfirmServices; answerOnce: AnswerOnce }): void {
  fundingRoutes(app, services);
  feeRoutes(app, services);
  programDesignRoutes(app, services);
}
