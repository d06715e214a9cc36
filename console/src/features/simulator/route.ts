import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { programRoute } from '../../app-routes.ts';

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** `card` is the card to swipe; `transaction` is the transaction whose receipt is shown. */
export const simulatorRoute = createRoute({
  getParentRoute: () => programRoute,
  path: 'simulator',
  validateSearch: (search: Record<string, unknown>): { card?: string; transaction?: string } => {
    const [card, transaction] = [text(search['card']), text(search['transaction'])];
    return { ...(card && { card }), ...(transaction && { transaction }) };
  },
  component: lazyRouteComponent(() => import('./simulator-page.tsx'), 'SimulatorPage'),
});
