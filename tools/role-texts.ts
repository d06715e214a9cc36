import { channel } from 'node:diagnostics_channel';
import type { FastifyInstance } from 'fastify';
import { DECISION_KINDS } from '../src/decisions/decision.ts';
import { type Access, ROLES, type Role } from '../src/programs/access.ts';

const CONSOLE = '/console/api/programs/:programId/';

/** Everything that a viewer reads; the operations are not listed below. */
const READS = 'see cards, customers, transactions, webhook events, reports and settings';

/**
 * What operations do, in words: one text for each group. The role of a group is not written here: it comes from the
 * `config` of its routes, so that the texts say what the server allows.
 */
const GROUPS: Record<string, readonly string[]> = {
  'save views of lists': ['consoleSaveView', 'consoleDeleteView'],
  'choose notifications': [
    ...['consoleReadNotifications', 'consoleChooseNotifications', 'consoleTestNotification'],
    ...['consoleSetNotificationWebhook', 'consoleRemoveNotificationWebhook'],
  ],
  'freeze and unfreeze cards': ['freezeCard', 'freezeCustomer'],
  'reissue cards': ['reissueCard'],
  'raise limits for a time': ['consoleSetTemporaryLimits'],
  'change the contact of cardholders': ['changeContact', 'consoleChangeCustomerContact'],
  'see delivery addresses': ['consoleCardShipment'],
  'verify callers': ['revealIdentity'],
  'write notes': ['consoleAddNote', 'consoleRemoveNote'],
  'request reports': ['requestFile'],
  'resend webhook events': ['resendWebhookEvent', 'resendMissedWebhookEvents'],
  'export lists': ['consoleExportCards', 'consoleExportTransactions', 'consoleExportWebhookEvents'],
  'create cards': ['createCard', 'createCardBatch', 'consoleReadCardCsv'],
  'block and replace cards': ['blockCard', 'consoleReplaceCard'],
  'change spend controls': ['changeSpendControls', 'setCardUsage'],
  'set metadata': ['setCardMetadata', 'setTransactionMetadata'],
  'adjust balances': ['adjustBalance'],
  'approve or reject what others requested': [
    ...['consoleListApprovals', 'consoleCountApprovals', 'consoleApprove', 'consoleReject'],
  ],
  'choose how cardholders confirm payments': ['changeForwarding'],
  'manage webhook endpoints': [
    ...['addWebhookEndpoint', 'updateWebhookEndpoint', 'removeWebhookEndpoint', 'testWebhookEndpoint'],
    ...['enableWebhookEndpoint', 'rotateWebhookSecret'],
  ],
  'manage the decision endpoint of authorizations': decisionChanges('authorization'),
  'test decision endpoints': ['testDecisionEndpoint'],
  'check the conditions of rules': ['validateRule', 'evaluateRule'],
  'manage rules and their lists': [
    ...['createRule', 'promoteRule', 'demoteRule', 'archiveRule', 'backtestRule', 'backtestUnsavedRule'],
    ...['putRuleList', 'addToRuleList', 'removeFromRuleList', 'removeRuleList'],
  ],
  'read the audit log': ['listAudit', 'listAuditFilters', 'getAuditVerification', 'exportAudit'],
  'use the simulator': [
    ...[
      'simulateAuthorization',
      'simulateIncrement',
      'simulateReversal',
      'simulateClearing',
      'simulateRefund',
    ],
    ...['simulateAuthentication', 'getSandboxAuthentication', 'moveClock', 'registerKycApplicant'],
  ],
  'manage people': [
    ...['listPeople', 'addPerson', 'changePerson', 'resetPassword', 'removePersonSecondFactor'],
    ...['listPersonSessions', 'endPersonSessions', 'endPersonSession'],
    ...['listInvitations', 'invitePerson', 'revokeInvitation'],
  ],
  'create programs': ['consoleCreateProgram'],
  'deposit and withdraw money': ['consoleDeposit', 'consoleWithdraw'],
  'change fees': ['consoleSetFees'],
  'manage card designs': ['consoleAddDesign', 'consoleChangeDesign'],
  'manage API keys': ['createKey', 'rotateKey', 'revokeKey'],
  'change the authorization mode': ['consoleSetAuthorizationMode'],
  'manage the decision endpoints of authentications': [
    ...decisionChanges('authentication'),
    ...decisionChanges('otp'),
  ],
  'set the bounds of temporary limits': ['consoleSetSupportLimits'],
  'set when money needs a second person': ['consoleSetSecondPerson'],
  'set the low-balance alert': ['setAccountAlert'],
  'approve authentications for cardholders': ['answerAuthentication'],
  'reveal card numbers for a stored reason': ['revealForReason'],
};

function decisionChanges(kind: string): string[] {
  return ['put', 'remove']
    .map((verb) => `${verb}DecisionEndpoint ${kind}`)
    .concat(`rotateDecisionSecret ${kind}`);
}

/** An operation of the console API with the role that it needs. */
interface Permission {
  operation: string;
  role: Role;
  isRead: boolean;
}

/** Collects the permissions of every route that is added while `run` runs. */
export async function withPermissions<Result>(
  run: () => Promise<Result>,
): Promise<[result: Result, permissions: Permission[]]> {
  const found: Permission[] = [];
  const created = channel('fastify.initialization');
  const listen = (message: unknown) =>
    (message as { fastify: FastifyInstance }).fastify.addHook(
      'onRoute',
      ({ url, method, schema, config }) => {
        const { operationId } = (schema ?? {}) as { operationId?: string };
        const { role, roleFor } = (config ?? {}) as Access;
        if (!url.startsWith(CONSOLE) || role === undefined || operationId === undefined) return;
        const isRead = [method].flat().every((name) => name === 'GET' || name === 'HEAD');
        if (!roleFor) found.push({ operation: operationId, role, isRead });
        else
          for (const kind of DECISION_KINDS)
            found.push({ operation: `${operationId} ${kind}`, role: roleFor({ kind }), isRead });
      },
    );
  created.subscribe(listen);
  const result = await run();
  created.unsubscribe(listen);
  return [result, found];
}

/** What each role can do beyond the roles before it, as a list in words. */
export function roleTexts(permissions: readonly Permission[]): Record<Role, string> {
  const listed = new Set(Object.values(GROUPS).flat());
  const isPlainRead = ({ operation, role, isRead }: Permission) =>
    isRead && role === 'viewer' && !listed.has(operation);
  const named = permissions.filter((permission) => !isPlainRead(permission));
  const homeless = named.filter(({ operation }) => !listed.has(operation)).map(({ operation }) => operation);
  if (homeless.length > 0)
    throw new Error(
      `tools/role-texts.ts: add ${homeless.join(', ')} to a group of GROUPS, which says what it does`,
    );
  const rolesOf = Object.entries(GROUPS).map(([text, operations]) => {
    const roles = operations.map((operation) => named.find((known) => known.operation === operation)?.role);
    const [role] = roles;
    if (role === undefined || roles.some((other) => other !== role))
      throw new Error(`tools/role-texts.ts: "${text}" has operations of several roles, or an unknown one`);
    return { text, role };
  });
  const textOf = (role: Role): string => {
    const own = rolesOf.filter((group) => group.role === role).map(({ text }) => text);
    return [...(role === 'viewer' ? [READS] : []), ...own].join('; ');
  };
  return Object.fromEntries(ROLES.map((role) => [role, textOf(role)])) as Record<Role, string>;
}
