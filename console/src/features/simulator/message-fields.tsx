import { Checkbox, NativeSelect } from '@mantine/core';
import { EXEMPTIONS, INITIATORS } from '../transactions/network-words.ts';
import { DECIDED_BY, type DecidedBy, type Purchase } from './purchase.ts';
import classes from './swipe-form.module.css';

const choices = (words: Record<string, string>) =>
  Object.entries(words).map(([value, label]) => ({ value, label }));

/** What a message says beside its amount and its shop, as far as something depends on it. */
export function MessageFields({
  purchase: { decidedBy, initiator, exemption, isPreAuthorization },
  onChange,
}: {
  purchase: Purchase;
  onChange: (change: Partial<Purchase>) => void;
}) {
  return (
    <div className={classes.messageFields}>
      <NativeSelect
        label="Decided by"
        data={choices(DECIDED_BY)}
        value={decidedBy}
        onChange={(event) => onChange({ decidedBy: event.currentTarget.value as DecidedBy })}
      />
      <NativeSelect
        label="Started by"
        data={choices(INITIATORS)}
        value={initiator}
        onChange={(event) => onChange({ initiator: event.currentTarget.value })}
      />
      <NativeSelect
        label="Exemption"
        data={choices(EXEMPTIONS)}
        value={exemption}
        onChange={(event) => onChange({ exemption: event.currentTarget.value })}
      />
      <Checkbox
        label="Pre-authorization (longer hold)"
        checked={isPreAuthorization}
        onChange={(event) => onChange({ isPreAuthorization: event.currentTarget.checked })}
      />
    </div>
  );
}
