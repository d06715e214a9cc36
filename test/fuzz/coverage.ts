import type { LaneReport } from './lane.ts';
import type { Operation } from './operations.ts';
import { WAYS, type Way } from './ways.ts';

/** One operation with the statuses that were met and those of the document that were not. */
export interface OperationCoverage {
  operation: string;
  met: Record<string, number>;
  missing: number[];
  ways: Partial<Record<Way, number>>;
}

/** Server errors, which must not occur here. */
const NOT_HERE = [500, 503];
/** Not every way is one for every operation: there are those without a body, an id or a query. */
const LEAST_OPERATIONS_OF_A_WAY = 10;

/** `operation status` of a success, whatever its number. */
export const hasSucceeded = (seen: ReadonlyMap<string, number>, operation: string): boolean =>
  [...seen.keys()].some((name) => name.startsWith(`${operation} 2`));

export function coverageOf(operations: Operation[], reports: LaneReport[]): OperationCoverage[] {
  const seen = sum(reports.map((report) => report.seen));
  const sent = sum(reports.map((report) => report.ways));
  return operations.map(({ id, statuses }) => {
    const met = [...seen]
      .filter(([name]) => name.startsWith(`${id} `))
      .map(([name, times]) => [name.slice(id.length + 1), times]);
    const missing = statuses.filter((status) => !NOT_HERE.includes(status) && !seen.has(`${id} ${status}`));
    const ways = Object.fromEntries(WAYS.map((way) => [way, sent.get(`${id} ${way}`) ?? 0]));
    return { operation: id, met: Object.fromEntries(met.sort()), missing, ways };
  });
}

/** Without an OpenID provider. With one they have attacks of their own. */
const WITHOUT_SUCCESS = ['beginOpenIdSignIn', 'beginOpenIdConfirmation', 'beginOpenIdConnection'];

/** What a run must have reached to count, and did not. Empty: it counts. */
export function notMetBy(
  coverage: OperationCoverage[],
  { sent, wanted }: { sent: number; wanted: number },
): string[] {
  const withoutSuccess = coverage.filter(
    ({ operation, met }) =>
      !WITHOUT_SUCCESS.includes(operation) && !Object.keys(met).some((status) => status.startsWith('2')),
  );
  const rare = WAYS.filter(
    (way) => coverage.filter(({ ways }) => (ways[way] ?? 0) > 0).length <= LEAST_OPERATIONS_OF_A_WAY,
  );
  return [
    ...(sent < wanted ? [`${wanted - sent} of ${wanted} requests`] : []),
    ...withoutSuccess.map(({ operation }) => `${operation} with success`),
    ...rare.map((way) => `"${way}" with more than ${LEAST_OPERATIONS_OF_A_WAY} operations`),
  ];
}

function sum(parts: Array<Map<string, number>>): Map<string, number> {
  const total = new Map<string, number>();
  for (const part of parts) for (const [name, times] of part) total.set(name, (total.get(name) ?? 0) + times);
  return total;
}
