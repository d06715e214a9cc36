import type { FileRequest } from '@emboss/sdk';
import { Button, Radio } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { DayInput } from '../../components/day-input.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { useProgram, useProgramApi } from '../../lib/program.ts';
import { formatUtcDay as day } from '../../lib/time.ts';
import { showToast } from '../../lib/toasts.ts';
import { useNow } from '../../lib/use-now.ts';
import { reportsQuery } from './queries.ts';
import { FILE_TYPES, type FileType, latestDay, periodOf, REPORT_TYPES, RULES } from './report-types.ts';
import classes from './request-form.module.css';

/** Shows the rules in advance; dates that break them cannot be selected. */
export function RequestForm() {
  const { id: programId } = useProgram();
  const api = useProgramApi();
  const queryClient = useQueryClient();
  const now = useNow();
  const [type, setType] = useState<FileType>('daily');
  const [chosen, setChosen] = useState<string | null>(null);
  const latest = latestDay(type, now);
  // The latest possible day by default.
  const date = chosen ?? latest;
  const mutation = useMutation({
    mutationFn: () => api.get<FileRequest>(`merchant/files/${type}/`, { date }),
    onSuccess: () => {
      showToast(`${REPORT_TYPES[type].title}: report requested.`);
      return queryClient.invalidateQueries(reportsQuery(programId));
    },
  });
  const isTooLate = date > latest;
  const isDay = /^\d{4}-\d\d-\d\d$/.test(date);
  const period = isDay ? periodOf(type, date) : null;
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isTooLate && isDay) mutation.mutate();
      }}
    >
      <Radio.Group
        label="Report type"
        value={type}
        onChange={(value) => {
          setType(value as FileType);
          setChosen(null);
          mutation.reset();
        }}
      >
        <div className={classes.types}>
          {FILE_TYPES.map((each) => (
            <Radio.Card key={each} value={each} className={classes.type ?? ''}>
              <Radio.Indicator className={classes.dot ?? ''} />
              <span>
                <span className={classes.title}>{REPORT_TYPES[each].title}</span>
                <span className={classes.words}>{REPORT_TYPES[each].words}</span>
              </span>
            </Radio.Card>
          ))}
        </div>
      </Radio.Group>
      <div className={classes.last}>
        <DayInput
          label={REPORT_TYPES[type].span === 'month' ? 'Any day of the month (UTC)' : 'Day (UTC)'}
          description={`${RULES[REPORT_TYPES[type].span]} Latest: ${day(latest)}.`}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          required
          withAsterisk={false}
          clearable={false}
          excludeDate={(each) => each > latest}
          className={classes.date}
          value={date}
          error={isTooLate ? `Not available yet: select ${day(latest)} or earlier` : undefined}
          onChange={setChosen}
        />
        <div className={classes.go}>
          <Button type="submit" loading={mutation.isPending} disabled={isTooLate || !isDay}>
            Request report
          </Button>
          {period && !isTooLate && (
            <span className={classes.covers}>
              Covers {day(period.firstDay)}
              {period.firstDay !== period.lastDay && ` to ${day(period.lastDay)}`}, in UTC.
            </span>
          )}
        </div>
      </div>
      {mutation.error && <ErrorPanel error={mutation.error} />}
    </form>
  );
}
