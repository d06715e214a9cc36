import { Type } from 'typebox';
import { badRequest, success } from '../../http/schemas.ts';
import type { App } from '../../http/server.ts';
import { EmbossError, invalid } from '../../kernel/error.ts';
import { requireReady, type SecondFactorRule } from '../../operators/operator.ts';
import { identityOf } from '../../operators/routes.ts';
import type { Access } from '../../programs/access.ts';
import { checkNewProgram, createProgram } from '../../programs/create-program.ts';
import { SANDBOX_BIN } from '../../programs/program.ts';
import { type ConfirmServices, confirmRequest, operatorOf } from '../confirm-request.ts';
import { confirmationFields, text } from '../console-schema.ts';
import { TOO_MANY_WRONG } from './schema.ts';

const mode = Type.Enum(['sandbox', 'live'], { description: 'It never changes.' });
const Body = Type.Object(
  {
    name: Type.String({ maxLength: 100, examples: ['Acme cards'] }),
    mode,
    currency: Type.String({
      maxLength: 3,
      description: 'ISO 4217 code. It never changes.',
      examples: ['EUR'],
    }),
    bin: Type.Optional(
      Type.String({
        maxLength: 8,
        description: `First 6 to 8 digits of the card numbers. Required for a live program; default for a sandbox program: ${SANDBOX_BIN}.`,
        examples: ['123456'],
      }),
    ),
    ...confirmationFields('Always required.'),
  },
  { title: 'NewProgramRequest' },
);
const Created = Type.Object({ id: text, name: text, mode, currency: text }, { title: 'NewProgram' });
const EXAMPLE = {
  ...{ id: '019a85f2-7c1e-7001-9f3e-5a1c2b3d4e5e', name: 'Acme cards', mode: 'live', currency: 'EUR' },
};

export interface CreateServices {
  signIn: ConfirmServices;
  sandboxPrograms: boolean;
  secondFactorRule: SecondFactorRule;
}

export function createProgramRoutes(
  app: App,
  { signIn, sandboxPrograms, secondFactorRule }: CreateServices,
): void {
  app.post(
    '/programs/',
    {
      config: { role: 'admin', installation: 'always' } satisfies Access,
      schema: {
        operationId: 'consoleCreateProgram',
        summary: 'Create a further program',
        description:
          'For administrators of all programs. A live program uses the KYC provider of the server. Next, it needs a design, an API key and money.',
        body: Body,
        response: {
          201: success(Created, 'Created', EXAMPLE),
          ...badRequest([400, 'name: is already the name of another program'], [400, 'password: is wrong']),
          ...TOO_MANY_WRONG,
        },
      },
    },
    async (request, reply) => {
      const operator = operatorOf(request);
      const { name, mode, currency, bin = mode === 'sandbox' ? SANDBOX_BIN : undefined } = request.body;
      if (operator.programId !== null) throw new EmbossError(403, 'Requires access to all programs');
      if (mode === 'sandbox' && !sandboxPrograms)
        throw invalid('mode', 'must be live: this server has no sandbox programs');
      if (bin === undefined) throw invalid('bin', 'is required: the digits that the card network assigned');
      // Otherwise nobody could work in the new program.
      requireReady(secondFactorRule, operator, mode);
      const kycProvider = mode === 'sandbox' ? 'sandbox' : 'sumsub';
      const input = { name, mode, currency, bin, kycProvider } as const;
      checkNewProgram(input);
      await confirmRequest(signIn, request);
      const by = identityOf(operator, request);
      const { id } = await signIn.db.transaction((tx) => createProgram(tx, by, input));
      return reply.code(201).send({ id, name, mode, currency });
    },
  );
}
