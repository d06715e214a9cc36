import { type BodyConfig, declaredOnly } from '../http/body.ts';
import { badRequest, Message, refusal, success } from '../http/schemas.ts';
import type { App } from '../http/server.ts';
import type { Access } from '../programs/access.ts';
import { actorOf } from '../programs/actor.ts';
import { addToList, type ListServices, putList, removeFromList, removeList } from './change-list.ts';
import { EXAMPLE_LIST } from './examples.ts';
import { ListBody, ListPath, RuleList, RuleLists, RuleListWithValues, ValuesBody } from './list-schema.ts';
import { readLists, retrieveList } from './read-lists.ts';

const tags = ['Rules'];
const BOUNDS = { bytes: 1024 * 1024, values: 11_000 };
const READ = { scope: 'read', role: 'viewer' } as const satisfies Access;
const CHANGE = { scope: 'rules', role: 'manager' } as const satisfies Access;
const CHANGE_VALUES = { ...CHANGE, bodyBounds: BOUNDS } satisfies Access & BodyConfig;
const tooLong = refusal(413, 'The body is over 1 MiB', `body: must be at most ${BOUNDS.bytes} bytes`);
const readOnly = refusal(
  409,
  'The list is read-only, or its type is in use',
  'The list mcc:gambling is shipped with Emboss and read-only',
);
const wrongValue = badRequest([400, 'values[3]: must be a merchant category code of 4 digits']);

/** Named lists of values, which conditions use with `inList`. */
export function listRoutes(app: App, services: ListServices): void {
  app.get(
    '/rule-lists/',
    {
      config: READ,
      schema: {
        tags,
        operationId: 'listRuleLists',
        summary: 'List the lists of rules',
        description: 'Your lists by their names, then those that are shipped.',
        response: { 200: success(RuleLists, 'All lists', { ruleLists: [EXAMPLE_LIST] }) },
      },
    },
    async (request) => ({ ruleLists: await readLists(services.db, actorOf(request)) }),
  );

  app.get(
    '/rule-lists/:listName/',
    {
      config: READ,
      schema: {
        tags,
        operationId: 'retrieveRuleList',
        summary: 'Get a list with its values',
        params: ListPath,
        response: {
          200: success(RuleListWithValues, 'The list', { ...EXAMPLE_LIST, values: ['M-1001', 'M-1002'] }),
        },
      },
    },
    async (request) => retrieveList(services, actorOf(request), request.params.listName),
  );

  app.put(
    '/rule-lists/:listName/',
    {
      config: CHANGE_VALUES,
      schema: {
        tags,
        operationId: 'putRuleList',
        summary: 'Create a list, or replace its values',
        description:
          'The change holds for every authorization that begins after the answer. The body has at most 1 MiB.',
        params: ListPath,
        body: ListBody,
        response: {
          200: success(RuleList, 'The list', EXAMPLE_LIST),
          ...wrongValue,
          ...readOnly,
          ...tooLong,
        },
      },
    },
    async (request) => {
      const body = declaredOnly(ListBody, request.body);
      return putList(services, actorOf(request), request.params.listName, body);
    },
  );

  for (const [verb, operationId, summary, change] of [
    ['add', 'addToRuleList', 'Add values to a list', addToList],
    ['remove', 'removeFromRuleList', 'Remove values from a list', removeFromList],
  ] as const)
    app.post(
      `/rule-lists/:listName/${verb}/`,
      {
        config: CHANGE_VALUES,
        schema: {
          tags,
          operationId,
          summary,
          params: ListPath,
          body: ValuesBody,
          response: {
            200: success(RuleList, 'The list', EXAMPLE_LIST),
            ...wrongValue,
            ...readOnly,
            ...tooLong,
          },
        },
      },
      async (request) => change(services, actorOf(request), request.params.listName, request.body.values),
    );

  app.delete(
    '/rule-lists/:listName/',
    {
      config: CHANGE,
      schema: {
        tags,
        operationId: 'removeRuleList',
        summary: 'Delete a list',
        params: ListPath,
        response: {
          200: success(Message, 'Deleted', { message: 'List deleted' }),
          ...refusal(
            409,
            'A rule uses the list',
            'The list cannot be deleted while a rule uses it: "No gambling" (019a85f2-7c1e-7010-9f3e-5a1c2b3d4e5f); archive the rules first',
          ),
        },
      },
    },
    async (request) => {
      await removeList(services, actorOf(request), request.params.listName);
      return { message: 'List deleted' };
    },
  );
}
