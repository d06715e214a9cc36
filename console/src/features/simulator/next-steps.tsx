import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconArrowBackUp, IconCash, IconMessages, IconX } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { useProgram, useProgramApi } from '../../lib/program.ts';
import { showToast } from '../../lib/toasts.ts';
import type { TransactionDetail, TransactionLife } from '../../lib/types.ts';
import { MessageForm } from './message-form.tsx';
import { messagesFor, type SentMessage } from './messages.ts';
import classes from './receipt.module.css';

const FOLLOW_UPS = {
  clearings: { label: 'Clear', icon: IconCash, done: 'Cleared: the merchant collected the money.' },
  reversals: { label: 'Reverse', icon: IconX, done: 'Reversed: the hold was released.' },
  refunds: { label: 'Refund', icon: IconArrowBackUp, done: 'Refunded: the money is back on the card.' },
} as const;
type FollowUp = keyof typeof FOLLOW_UPS;

/** The merchant's next steps depend on the status of the purchase. A credit waits for its refund. */
function followUpsOf({ status, kind }: TransactionDetail): FollowUp[] {
  if (kind === 'refund') return status === 'PENDING' ? ['refunds', 'reversals'] : [];
  if (status === 'PENDING') return ['clearings', 'reversals'];
  return status === 'CLEARED' ? ['refunds'] : [];
}

/** The usual next messages with one click, and the others in a form. */
export function NextSteps({ life }: { life: TransactionLife }) {
  const { transaction } = life;
  const { id: programId } = useProgram();
  const api = useProgramApi();
  const queryClient = useQueryClient();
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const mutation = useMutation({
    mutationFn: ({ path, body }: SentMessage) => api.post(`sandbox/${path}/`, body),
    onSuccess: (_answer, { done }) => {
      close();
      showToast(done);
      return queryClient.invalidateQueries({ queryKey: [programId] });
    },
  });
  const followUps = followUpsOf(transaction);
  const messages = messagesFor(life);
  return (
    <>
      {followUps.length > 0 && (
        <div className={classes.next}>
          {followUps.map((path) => {
            const { label, icon: Shape, done } = FOLLOW_UPS[path];
            return (
              <Button
                key={path}
                variant="default"
                loading={mutation.isPending && mutation.variables?.path === path}
                disabled={mutation.isPending}
                leftSection={<Shape size={16} />}
                onClick={() => mutation.mutate({ path, body: { transaction_id: transaction.id }, done })}
              >
                {label}
              </Button>
            );
          })}
        </div>
      )}
      {messages.length > 0 && (
        <Button
          variant="subtle"
          size="xs"
          leftSection={<IconMessages size={15} />}
          aria-expanded={isOpen}
          onClick={toggle}
        >
          Other messages of the network
        </Button>
      )}
      {isOpen && (
        <MessageForm
          key={transaction.id}
          transaction={transaction}
          messages={messages}
          isSending={mutation.isPending}
          onSend={mutation.mutate}
        />
      )}
      {mutation.error && <ErrorPanel error={mutation.error} />}
    </>
  );
}
