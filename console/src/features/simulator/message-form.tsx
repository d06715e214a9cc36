import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ChoiceSelect } from '../../components/choice-select.tsx';
import type { TransactionDetail } from '../../lib/types.ts';
import classes from './message-form.module.css';
import type { MessageChoice, SentMessage } from './messages.ts';

/** One more message of the network about a purchase. */
export function MessageForm({
  transaction: { currency, billCurrency },
  messages,
  isSending,
  onSend,
}: {
  transaction: TransactionDetail;
  messages: MessageChoice[];
  isSending: boolean;
  onSend: (message: SentMessage) => void;
}) {
  const [index, setIndex] = useState(0);
  const [money, setMoney] = useState({ amount: '', billAmount: '' });
  const chosen = messages[index] ?? messages[0];
  if (!chosen) return null;
  const isRequired = chosen.amount === 'required';
  const isForeign = currency !== billCurrency;
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        onSend(chosen.messageOf(chosen.amount === 'none' ? { amount: '', billAmount: '' } : money));
      }}
    >
      <ChoiceSelect
        label="Message"
        description={chosen.words}
        inputWrapperOrder={['label', 'input', 'description']}
        data={messages.map(({ label }, value) => ({ value: String(value), label }))}
        value={String(messages.indexOf(chosen))}
        onChange={(value) => setIndex(Number(value))}
      />
      {chosen.amount !== 'none' && (
        <div className={classes.amounts}>
          <TextInput
            label={`Amount, ${currency}`}
            inputMode="decimal"
            required={isRequired}
            withAsterisk={false}
            value={money.amount}
            onChange={(event) => setMoney({ ...money, amount: event.currentTarget.value })}
          />
          {isForeign && (
            <TextInput
              label={`Amount, ${billCurrency}`}
              inputMode="decimal"
              required={isRequired || money.amount !== ''}
              withAsterisk={false}
              value={money.billAmount}
              onChange={(event) => setMoney({ ...money, billAmount: event.currentTarget.value })}
            />
          )}
        </div>
      )}
      <Button type="submit" variant="default" loading={isSending}>
        Send message
      </Button>
    </form>
  );
}
