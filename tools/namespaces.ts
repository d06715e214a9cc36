import { type Call, parametersOf, resultOf, wordsOf } from './operations.ts';
import { comment } from './types.ts';

/** The position of each operation in the object that `createEmboss` returns. */
const NAMESPACES: Record<string, Record<string, string>> = {
  cards: {
    create: 'createCard',
    list: 'listCards',
    get: 'retrieveCard',
    credentials: 'revealCredentials',
    createRevealSession: 'createRevealSession',
    freeze: 'freezeCard',
    block: 'blockCard',
    reissue: 'reissueCard',
    spendControls: 'getSpendControls',
    changeSpendControls: 'changeSpendControls',
    changeContact: 'changeContact',
    forwarding: 'getForwarding',
    changeForwarding: 'changeForwarding',
    setMetadata: 'setCardMetadata',
    setUsage: 'setCardUsage',
    adjustBalance: 'adjustBalance',
    balanceAdjustments: 'listBalanceAdjustments',
    transactions: 'listCardTransactions',
  },
  cardBatches: {
    create: 'createCardBatch',
    list: 'listCardBatches',
    get: 'retrieveCardBatch',
    rows: 'listCardBatchRows',
  },
  customers: { list: 'listCustomers', get: 'retrieveCustomer', freeze: 'freezeCustomer' },
  designs: { list: 'listCardDesigns', get: 'getCardDesign' },
  transactions: {
    list: 'listTransactions',
    get: 'getTransaction',
    setMetadata: 'setTransactionMetadata',
  },
  account: { get: 'getAccount', setAlert: 'setAccountAlert' },
  reports: { request: 'requestFile', state: 'getFileRequest' },
  webhookEndpoints: {
    add: 'addWebhookEndpoint',
    list: 'listWebhookEndpoints',
    get: 'getWebhookEndpoint',
    update: 'updateWebhookEndpoint',
    remove: 'removeWebhookEndpoint',
    rotateSecret: 'rotateWebhookSecret',
    test: 'testWebhookEndpoint',
    enable: 'enableWebhookEndpoint',
  },
  webhookEvents: {
    list: 'listWebhookEvents',
    get: 'getWebhookEvent',
    resend: 'resendWebhookEvent',
    resendMissed: 'resendMissedWebhookEvents',
  },
  decisionEndpoints: {
    put: 'putDecisionEndpoint',
    get: 'getDecisionEndpoint',
    remove: 'removeDecisionEndpoint',
    rotateSecret: 'rotateDecisionSecret',
    test: 'testDecisionEndpoint',
  },
  rules: {
    create: 'createRule',
    list: 'listRules',
    get: 'retrieveRule',
    promote: 'promoteRule',
    demote: 'demoteRule',
    archive: 'archiveRule',
    matches: 'listRuleMatches',
    report: 'getRuleReport',
    fields: 'listRuleFields',
    validate: 'validateRule',
    evaluate: 'evaluateRule',
    backtest: 'backtestRule',
    backtests: 'listRuleBacktests',
    getBacktest: 'retrieveRuleBacktest',
    backtestMatches: 'listRuleBacktestMatches',
  },
  ruleBacktests: {
    create: 'backtestUnsavedRule',
    get: 'retrieveBacktest',
    matches: 'listBacktestMatches',
  },
  ruleLists: {
    put: 'putRuleList',
    list: 'listRuleLists',
    get: 'retrieveRuleList',
    add: 'addToRuleList',
    removeValues: 'removeFromRuleList',
    remove: 'removeRuleList',
  },
  authentications: { answer: 'answerAuthentication' },
  sandbox: {
    authorize: 'simulateAuthorization',
    increment: 'simulateIncrement',
    reverse: 'simulateReversal',
    clear: 'simulateClearing',
    refund: 'simulateRefund',
    authenticate: 'simulateAuthentication',
    authentication: 'getSandboxAuthentication',
    clock: 'getClock',
    moveClock: 'moveClock',
    registerKycApplicant: 'registerKycApplicant',
  },
  network: {
    authorize: 'authorize',
    increment: 'increment',
    reverse: 'reverse',
    clear: 'clear',
    refund: 'refund',
    clearingFile: 'retrieveClearingFile',
    authenticate: 'authenticate',
    authentication: 'getAuthentication',
    attemptOtp: 'attemptOtp',
    resendOtp: 'resendOtp',
    cancelAuthentication: 'cancelAuthentication',
    tokenizationOtp: 'tokenizationOtp',
  },
  health: { live: 'checkLive', ready: 'checkReady' },
};

/** The interface of all namespaces, and the function that creates them for a client. */
export function namespacesCode(calls: readonly Call[]): string {
  const assigned = Object.values(NAMESPACES).flatMap((methods) => Object.values(methods));
  const forgotten = calls.filter(({ name }) => !assigned.includes(name)).map(({ name }) => name);
  if (forgotten.length > 0) throw new Error(`tools/namespaces.ts lacks ${forgotten.join(', ')}`);
  const callOf = (name: string): Call => {
    const call = calls.find((each) => each.name === name);
    if (!call) throw new Error(`tools/namespaces.ts names ${name}, which the document does not have`);
    return call;
  };
  const namespace = (name: string, member: (method: string, call: Call) => string): string => {
    const members = Object.entries(NAMESPACES[name] ?? {}).map(([method, id]) => member(method, callOf(id)));
    return `  ${name}: {\n${members.join('\n')}\n  }`;
  };
  const declared = (method: string, call: Call) =>
    `${comment(wordsOf(call.operation), '    ')}    ${method}(${parametersOf(call).join(', ')}): ${resultOf(call)};`;
  const bound = (method: string, call: Call) =>
    `    ${method}: (...args) => operations.${call.name}(client, ...args),`;
  const names = Object.keys(NAMESPACES);
  return `export interface Operations {
${names.map((name) => `${namespace(name, declared)};`).join('\n')}
}

/** All operations with the client filled in. */
export const bindOperations = (client: Client): Operations => ({
${names.map((name) => `${namespace(name, bound)},`).join('\n')}
});`;
}
