import { Checkbox } from '@mantine/core';
import { ChoiceSelect, choicesOf } from '../../components/choice-select.tsx';
import { EXEMPTIONS, INITIATORS } from '../transactions/network-words.ts';
import { DECIDED_BY, type Purchase } from './purchase.ts';
import classes from './swipe-form.module.css';

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
      <ChoiceSelect
        label="Decided by"
        data={choicesOf(DECIDED_BY)}
        value={decidedBy}
        onChange={(value) => onChange({ decidedBy: value })}
      />
      <ChoiceSelect
        label="Started by"
        data={choicesOf(INITIATORS)}
        value={initiator}
        onChange={(value) => onChange({ initiator: value })}
      />
      <ChoiceSelect
        label="Exemption"
        data={choicesOf(EXEMPTIONS)}
        value={exemption}
        onChange={(value) => onChange({ exemption: value })}
      />
      <Checkbox
        label="Pre-authorization (longer hold)"
        checked={isPreAuthorization}
        onChange={(event) => onChange({ isPreAuthorization: event.currentTarget.checked })}
      />
    </div>
  );
}
