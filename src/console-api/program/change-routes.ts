import type { AnswerOnce } from '../../http/idempotency.ts';
import type { App } from '../../http/server.ts';
import { type CreateServices, createProgramRoutes } from './create-routes.ts';
import { programDesignRoutes } from './design-routes.ts';
import { feeRoutes } from './fee-routes.ts';
import { fundingRoutes } from './funding-routes.ts';

/** What an administrator does with programs: create them, and change their money, fees and designs, each with the password. */
export function programRoutes(app: App, services: CreateServices & { answerOnce: AnswerOnce }): void {
  createProgramRoutes(app, services);
  fundingRoutes(app, services);
  feeRoutes(app, services);
  programDesignRoutes(app, services);
}
