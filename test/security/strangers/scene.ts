import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Program } from '../../../src/programs/program.ts';
import { createCard } from '../../support/cards/cards.ts';
import { type PayingCard, payingCard } from '../../support/cards/network.ts';
import { fillTransactions } from '../../support/cards/swipe.ts';
import { addTestOperator, signInAs } from '../../support/console/operators.ts';
import { fillCards } from '../../support/database/fill-cards.ts';
import { freePort } from '../../support/server/free-port.ts';
import { newDataDir, type ServerProcess, startServerProcess } from '../../support/server/server-process.ts';
import { startTestApp, type TestApp } from '../../support/server/test-app.ts';
import type { Order, Report } from './attacker.ts';
import type { Target } from './attacks.ts';
import type { Counts } from './sockets.ts';

/** Small, so that two addresses can take all of them with few sockets. */
const MAX_CONNECTIONS = 300;
const MONTHS = 4;
const CARDS_A_MONTH = 2_500;
const MONTH_MS = 30 * 86_400_000;

export interface Scene {
  server: ServerProcess;
  /** Of the program that is attacked, with much credit. */
  cards: PayingCard[];
  /** One more that pays nothing: it can be frozen. */
  quietCardId: string;
  /** An operator of that program. */
  operator: { email: string; password: string };
  /** What the attacker knows. */
  target: Target;
}

/** One server as a process of its own; in its database two programs, the attacker's with many cards. */
export async function setScene(): Promise<Scene> {
  const masterKey = randomBytes(32).toString('base64');
  const app = await startTestApp({ masterKey });
  try {
    const cards: PayingCard[] = [];
    for (let index = 0; index < 8; index++) cards.push(await payingCard(app, { spendLimit: 100_000 }));
    const { id: quietCardId } = await createCard(app);
    const operator = await addTestOperator(app, 'admin', app.program.id);
    const attacker = await app.addProgram();
    const { id: cardId } = await createCard(app, { spendLimit: 100_000 }, attacker.key);
    const { cookie } = await signInAs(app, 'admin', attacker.program.id);
    await fillMonths(app, attacker.program);
    // Reports are about the time since a program was created.
    const created = new Date(Date.now() - 36 * MONTH_MS);
    await app.sql('update programs set created_at = $1', [created]);
    const server = await startServerProcess(await freePort(), {
      DATABASE_URL: app.databaseUrl,
      EMBOSS_MASTER_KEY: masterKey,
      DATA_DIR: newDataDir(),
      MAX_CONNECTIONS: String(MAX_CONNECTIONS),
      PROCESSES: process.env['STRANGERS_PROCESSES'] ?? '1',
    });
    const target = {
      url: server.url,
      maxConnections: MAX_CONNECTIONS,
      merchantKey: attacker.key,
      networkKey: attacker.networkKey,
      programId: attacker.program.id,
      cardId,
      cards: MONTHS * CARDS_A_MONTH,
      cookie,
      victimEmail: operator.email,
    };
    return { server, cards, quietCardId, operator, target };
  } finally {
    await app.close();
  }
}

/** Cards and purchases, month by month: each in a transaction that is short on a slow machine too. */
async function fillMonths(app: TestApp, program: Program): Promise<void> {
  for (let month = MONTHS; month > 0; month--) {
    const fromMs = Date.now() - month * MONTH_MS;
    const range = { count: CARDS_A_MONTH, fromMs, toMs: fromMs + MONTH_MS - 3_600_000 };
    const cardIds = await fillCards(app, program, range);
    await fillTransactions(app, program, cardIds.slice(0, 100), range);
  }
}

export interface Attacker {
  /** Returns when the attack has its full strength. */
  begin(attack: string, target: Target): Promise<void>;
  /** Ends it; what it did. */
  end(): Promise<Counts>;
  close(): void;
}

/** The one process that all attacks come from. */
export function startAttacker(): Attacker {
  const script = fileURLToPath(new URL('attacker.ts', import.meta.url));
  const child = fork(script, { execArgv: ['--import', 'tsx'], env: { PATH: process.env['PATH'] } });
  const death = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`the attacker ended (${code ?? signal})`);
  });
  death.catch(() => {});
  const send = async (message: Order | 'end'): Promise<Report> => {
    child.send(message);
    const [report] = await Promise.race([once(child, 'message'), death]);
    return report as Report;
  };
  let begun = 0;
  return {
    begin: async (attack, target) => {
      begun++;
      const addresses = [1, 2, 3, 4].map((host) => `127.1.${begun}.${host}`);
      await send({ attack, target, addresses });
    },
    end: async () => ((await send('end')) as { counts: Counts }).counts,
    close: () => void child.kill('SIGKILL'),
  };
}
