import { Type } from 'typebox';
import type { Database } from '../../db/database.ts';
import { badRequest, success } from '../../http/schemas.ts';
import type { App } from '../../http/server.ts';
import { EmbossError } from '../../kernel/error.ts';
import { isCleanText } from '../../kernel/text.ts';
import type { Access } from '../../programs/access.ts';
import { actorOf } from '../../programs/actor.ts';
import { findDesign, listDesigns } from './queries.ts';

const CardDesign = Type.Object(
  {
    id: Type.String({ examples: ['classic-black'] }),
    name: Type.String({ examples: ['Classic Black'] }),
    stock: Type.Boolean({ description: 'In stock for physical cards.' }),
    default: Type.Boolean({ description: 'Used for cards that are created without a design.' }),
    embossNameSupported: Type.Boolean(),
  },
  { title: 'CardDesign' },
);

const CardDesignList = Type.Object({ cardDesigns: Type.Array(CardDesign) }, { title: 'CardDesignList' });

const EXAMPLE = {
  id: 'classic-black',
  name: 'Classic Black',
  stock: true,
  default: true,
  embossNameSupported: true,
};

export function designRoutes(app: App, { db }: { db: Database }): void {
  const tags = ['Card designs'];

  app.get(
    '/card-design/',
    {
      config: { scope: 'read', role: 'viewer' } satisfies Access,
      schema: {
        tags,
        operationId: 'listCardDesigns',
        summary: 'List card designs',
        description: 'The designs that new cards can have. A retired design is only found by its id.',
        response: {
          200: success(CardDesignList, 'The designs of the program', {
            cardDesigns: [EXAMPLE],
          }),
          ...badRequest([400, 'The request is malformed']),
        },
      },
    },
    async (request) => {
      const designs = await listDesigns(db, actorOf(request).program.id);
      return { cardDesigns: designs.filter(({ retired }) => !retired) };
    },
  );

  app.get(
    '/card-design/:cardDesignID/',
    {
      config: { scope: 'read', role: 'viewer' } satisfies Access,
      schema: {
        tags,
        operationId: 'getCardDesign',
        summary: 'Get card design by id',
        description: 'An unknown id returns 400 with code 404.',
        params: Type.Object({ cardDesignID: Type.String() }),
        response: {
          200: success(CardDesign, 'The design', EXAMPLE),
          ...badRequest([404, 'Record not found']),
          404: undefined,
        },
      },
    },
    async (request) => {
      const { cardDesignID } = request.params;
      const { program } = actorOf(request);
      // PostgreSQL accepts no NUL in text, and design ids contain no control characters.
      const design = isCleanText(cardDesignID) ? await findDesign(db, program.id, cardDesignID) : undefined;
      // The specification lists no 404 for this path, so the status is 400 and the code is 404.
      if (!design) throw new EmbossError(400, 'Record not found', { code: 404 });
      return design;
    },
  );
}
