import { createApp } from '../src/app.ts';
import { addUses, findUsable } from '../src/authentications/queries.ts';
import { createEngine } from '../src/authorizations/engine/engine.ts';
import { withoutResponse } from '../src/decisions/decision.ts';
import { config, logger, metrics, runtime, serve, services } from './built-server.ts';

/** The product with one difference: every authorization is a transaction of its own. */
const { db } = runtime;
const submit = createEngine(
  {
    db,
    vault: services.vault,
    authentications: { addUses, findUsable },
    rulesOf: services.rulesOf,
    metrics,
    requestDecision: async () => withoutResponse('unreachable', 0),
  },
  { gathered: false },
);
await serve(
  await createApp({
    db,
    ...services,
    submit,
    metrics,
    logger,
    publicUrl: config.publicUrl,
    revealUrl: config.revealUrl,
    version: 'bench',
    sandboxPrograms: true,
    limits: config.limits,
    metricsAccess: 'anybody',
    mostMistakes: config.mostMistakes,
    readsAtOnce: config.readsAtOnce,
    secondFactorRule: 'live-managers',
  }),
);
