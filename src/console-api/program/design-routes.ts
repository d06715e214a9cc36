import { listDesigns } from '../../cards/designs/queries.ts';
import { addDesign, checkDesign, updateDesign } from '../../cards/designs/save-design.ts';
import { declaredOnly } from '../../http/body.ts';
import { badRequest, refusal, success } from '../../http/schemas.ts';
import type { App } from '../../http/server.ts';
import { notFound } from '../../kernel/error.ts';
import { isCleanText } from '../../kernel/text.ts';
import type { Access } from '../../programs/access.ts';
import { actorOf } from '../../programs/actor.ts';
import { type ConfirmServices, confirmRequest } from '../confirm-request.ts';
import {
  Design,
  DesignBody,
  DesignChange,
  DesignPath,
  Designs,
  EXAMPLE_DESIGN,
  NewDesign,
  NewDesignBody,
} from './design-schema.ts';
import { TOO_MANY_WRONG } from './schema.ts';

export function programDesignRoutes(app: App, { signIn }: { signIn: ConfirmServices }): void {
  const { db } = signIn;
  const ADMIN = { role: 'admin' } as const satisfies Access;

  app.get(
    '/card-designs/',
    {
      config: { role: 'viewer' } satisfies Access,
      schema: {
        operationId: 'consoleListDesigns',
        summary: 'List the card designs with the retired ones',
        response: { 200: success(Designs, 'The designs of the program', { designs: [EXAMPLE_DESIGN] }) },
      },
    },
    async (request) => ({ designs: await listDesigns(db, actorOf(request).program.id) }),
  );

  app.post(
    '/card-designs/',
    {
      config: ADMIN,
      schema: {
        operationId: 'consoleAddDesign',
        summary: 'Add a card design',
        description: 'The first design of a program is its default.',
        body: NewDesignBody,
        response: {
          201: success(Design, 'Added', EXAMPLE_DESIGN),
          ...badRequest([400, 'look.from: must be a colour such as #1b8fbf'], [400, 'password: is wrong']),
          ...refusal(409, 'The id is taken', 'id: design ocean-blue already exists'),
          ...TOO_MANY_WRONG,
        },
      },
    },
    async (request, reply) => {
      const design = declaredOnly(NewDesign, request.body);
      checkDesign(design);
      await confirmRequest(signIn, request);
      return reply.code(201).send(await db.transaction((tx) => addDesign(tx, actorOf(request), design)));
    },
  );

  app.put(
    '/card-designs/:cardDesignID/',
    {
      config: ADMIN,
      schema: {
        operationId: 'consoleChangeDesign',
        summary: 'Change a card design, its stock or the default, or retire it',
        description: 'Changes the given fields and keeps the others. Existing cards keep their design.',
        params: DesignPath,
        body: DesignBody,
        response: {
          200: success(Design, 'Changed', EXAMPLE_DESIGN),
          ...badRequest(
            [400, 'retired: must not be set: the default design is never retired'],
            [400, 'password: is wrong'],
          ),
          ...TOO_MANY_WRONG,
        },
      },
    },
    async (request) => {
      const change = declaredOnly(DesignChange, request.body);
      const { cardDesignID } = request.params;
      // PostgreSQL accepts no NUL in text, and design ids contain no control characters.
      if (!isCleanText(cardDesignID)) throw notFound();
      checkDesign(change);
      await confirmRequest(signIn, request);
      return db.transaction((tx) => updateDesign(tx, actorOf(request), cardDesignID, change));
    },
  );
}
