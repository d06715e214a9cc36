import { Radio } from '@mantine/core';
import { useState } from 'react';
import { formatMoment } from '../../lib/time.ts';
import { chooseZone, localZone, type ZoneChoice, zoneChoice } from '../../lib/time-zone.ts';
import classes from './account-page.module.css';

/** Kept in this browser. */
export function TimeZone() {
  const [chosen, setChosen] = useState(zoneChoice);
  return (
    <Radio.Group
      label="Show times in"
      description={`Now: ${formatMoment(new Date())}. Days of limits, reports and filters are always UTC days.`}
      value={chosen}
      onChange={(value) => {
        chooseZone(value as ZoneChoice);
        setChosen(value as ZoneChoice);
      }}
    >
      <div className={classes.choices}>
        <Radio value="local" label={`Your time zone (${localZone()}), with UTC on hover`} />
        <Radio value="utc" label="UTC" />
      </div>
    </Radio.Group>
  );
}
