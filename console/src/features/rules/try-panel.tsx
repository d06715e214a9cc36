import type { RuleEvaluation } from '@emboss/sdk';
import { Button, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { Panel } from '../../components/page.tsx';
import { useProgramApi } from '../../lib/program.ts';
import { LeafList } from './leaf-list.tsx';
import { parseJson } from './parse-json.ts';
import classes from './rule-form.module.css';

const SAMPLE = { mcc: '7995', billAmount: '80' };

/** What the condition says of a sample. Nothing is stored. */
export function TryPanel({ when }: { when: unknown }) {
  const api = useProgramApi();
  const [text, setText] = useState(() => JSON.stringify(SAMPLE, null, 2));
  const sample = parseJson(text);
  const mutation = useMutation({
    mutationFn: async () => ({
      when,
      found: await api.post<RuleEvaluation>('merchant/rules/evaluate/', { when, sample }),
    }),
  });
  const found = mutation.data?.when === when ? mutation.data?.found : undefined;
  return (
    <Panel title="Try it">
      <div className={classes.trying}>
        <Textarea
          label="Values of a purchase"
          description="By the names of fields; a field that is left out is missing. Velocities: “velocity”, with a value for each."
          classNames={{ input: classes.json ?? '' }}
          autosize
          minRows={4}
          maxRows={12}
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          error={sample === undefined && 'This is not JSON yet.'}
        />
        <div className={classes.tried}>
          <Button
            variant="default"
            loading={mutation.isPending}
            disabled={when === undefined || sample === undefined}
            onClick={() => mutation.mutate()}
          >
            Evaluate
          </Button>
          {mutation.error && <ErrorPanel error={mutation.error} />}
          {found && (
            <div role="status">
              <strong>{found.result ? 'The condition is met.' : 'The condition is not met.'}</strong>
              <LeafList when={when} leaves={found.leaves} />
            </div>
          )}
        </div>
      </div>
    </Panel>
  );
}
