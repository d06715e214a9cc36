import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ProgramApi } from '../../lib/api.ts';
import { useProgram, useProgramApi } from '../../lib/program.ts';
import { showToast } from '../../lib/toasts.ts';
import type { CardDetails } from '../../lib/types.ts';
import { refreshCard } from './queries.ts';

/** Sends a change of a card, shows a toast, and reloads the card's data before the dialog closes. */
export function useCardChange<Input>(
  card: CardDetails,
  change: (api: ProgramApi, path: string, input: Input) => Promise<unknown>,
  {
    done,
    onClose,
    isWaiting = () => false,
  }: {
    done: string;
    onClose: () => void;
    /** True: the answer says that the change waits for a second person, and the dialog stays. */
    isWaiting?: (answer: unknown) => boolean;
  },
) {
  const api = useProgramApi();
  const { id: programId } = useProgram();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (input: Input) => change(api, `merchant/cards/${encodeURIComponent(card.id)}/`, input),
    onSuccess: async (answer) => {
      if (isWaiting(answer)) return;
      await refreshCard(queryClient, programId);
      showToast(done);
      onClose();
    },
  });
}
