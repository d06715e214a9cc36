import { Link, type LinkProps } from '@tanstack/react-router';
import { useProgram } from '../../lib/program.ts';
import { useMay } from '../../lib/session.ts';
import type { AuditEntry } from './queries.ts';

type Touched = NonNullable<AuditEntry['target']>;

/** The words of each kind, and its page. */
const KINDS: Record<Touched['kind'], [words: string, to: NonNullable<LinkProps['to']>]> = {
  card: ['Card', '/programs/$programId/cards/$cardId'],
  transaction: ['Transaction', '/programs/$programId/transactions/$transactionId'],
  program: ['Program', '/programs/$programId/program'],
  person: ['Person', '/programs/$programId/people'],
  key: ['API key', '/programs/$programId/keys'],
  webhooks: ['Webhook', '/programs/$programId/webhooks'],
  decisions: ['Decision endpoint', '/programs/$programId/decisions'],
  design: ['Design', '/programs/$programId/designs'],
  report: ['Report', '/programs/$programId/reports'],
  rule: ['Rule', '/programs/$programId/rules'],
  approvals: ['Approval', '/programs/$programId/approvals'],
};
const FOR_ADMINS: ReadonlyArray<Touched['kind']> = ['person', 'key'];

/** What an entry is about, with a link to its page. */
export function Target({ target }: { target: AuditEntry['target'] }) {
  const { id: programId } = useProgram();
  const isAdmin = useMay('admin');
  if (!target) return '–';
  const { kind, id, name } = target;
  const [words, to] = KINDS[kind];
  const text = kind === 'card' && name ? `Card ••••\u00a0${name}` : name ? `${words} ${name}` : words;
  if (!isAdmin && FOR_ADMINS.includes(kind)) return text;
  const params = { programId, ...(id && (kind === 'card' ? { cardId: id } : { transactionId: id })) };
  return (
    <Link to={to} params={params as never}>
      {text}
    </Link>
  );
}
