import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Loaded } from '../../components/loaded.tsx';
import { Page } from '../../components/page.tsx';
import { FormOutline, PanelOutline } from '../../components/panel-outline.tsx';
import { RoleNote } from '../../components/role-note.tsx';
import { useProgram } from '../../lib/program.ts';
import { useMay } from '../../lib/session.ts';
import { BackToRules } from './back-to-rules.tsx';
import { fieldsQuery, listsQuery, ruleQuery } from './queries.ts';
import { RuleForm } from './rule-form.tsx';

const route = getRouteApi('/programs/$programId/rules/new');

/** A rule never changes: a new one can replace it. */
export function NewRulePage() {
  const { id: programId } = useProgram();
  const mayCreate = useMay('manager');
  const { replaces } = route.useSearch();
  const fields = useQuery(fieldsQuery(programId));
  const lists = useQuery(listsQuery(programId));
  const replaced = useQuery({
    ...ruleQuery(programId, replaces ?? ''),
    enabled: replaces !== undefined,
    refetchInterval: false,
  });
  const isReady = lists.data && (replaces === undefined || replaced.data);
  const waiting: Pick<UseQueryResult<unknown>, 'data' | 'error' | 'refetch'> = replaces !== undefined &&
  !replaced.data
    ? replaced
    : lists.data
      ? fields
      : lists;
  const outline = (
    <PanelOutline>
      <FormOutline count={5} />
    </PanelOutline>
  );
  return (
    <Page
      title={replaces ? 'Replace rule' : 'New rule'}
      back={<BackToRules />}
      intro="The rule starts in shadow: it is evaluated for every authorization and decides nothing until you promote it."
    >
      {!mayCreate && <RoleNote needed="manager" todo="Creating rules" />}
      {mayCreate && (
        <Loaded query={waiting} outline={outline}>
          {() =>
            fields.data && lists.data && isReady ? (
              <RuleForm
                key={replaces}
                fields={fields.data}
                lists={lists.data}
                replaced={replaces === undefined ? undefined : replaced.data}
              />
            ) : (
              outline
            )
          }
        </Loaded>
      )}
    </Page>
  );
}
