import { Button } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { Facts, Panel } from '../../components/page.tsx';
import type { RevealedIdentity } from '../../lib/api-types.gen.ts';
import { countryName } from '../../lib/countries.ts';
import { useProgramApi } from '../../lib/program.ts';
import { useMay } from '../../lib/session.ts';
import { formatUtcDay } from '../../lib/time.ts';
import type { Customer } from '../../lib/types.ts';
import { useCountdown } from '../../lib/use-countdown.ts';
import classes from './identity.module.css';
import { customerPath } from './queries.ts';

const SHOWN_SECONDS = 60;

/** Date of birth and address, to verify a caller. They exist only here and for a short time: never in the cache or the URL. */
export function Identity({ customer }: { customer: Customer }) {
  const maySee = useMay('support');
  const api = useProgramApi();
  const button = useRef<HTMLButtonElement>(null);
  const [shown, setShown] = useState<RevealedIdentity | null>(null);
  const mutation = useMutation({
    gcTime: 0,
    mutationFn: async () =>
      setShown(await api.post<RevealedIdentity>(`${customerPath(customer.id)}identity/`, {})),
  });
  const hide = useCallback(() => {
    setShown(null);
    // The focused button is gone.
    requestAnimationFrame(() => button.current?.focus());
  }, []);
  if (!maySee) return null;
  return (
    <Panel title="Verify a caller">
      {shown ? (
        <Shown identity={shown} onHide={hide} />
      ) : (
        <div className={classes.offer}>
          <p className={classes.note}>Compare what the caller says. Each reveal is in the audit.</p>
          <Button
            ref={button}
            variant="default"
            size="xs"
            leftSection={<IconEye size={15} />}
            loading={mutation.isPending}
            onClick={() => mutation.mutate()}
          >
            Show date of birth and address
          </Button>
          {mutation.error && <ErrorPanel error={mutation.error} />}
        </div>
      )}
    </Panel>
  );
}

function Shown({ identity, onHide }: { identity: RevealedIdentity; onHide: () => void }) {
  const left = useCountdown(SHOWN_SECONDS, onHide);
  const { name, dob, registrationNumber, address } = identity;
  const { line1, line2, postalCode, city, country } = address;
  const place = [postalCode, city].filter(Boolean).join(' ');
  return (
    <>
      <Facts
        rows={[
          ['Name', name],
          dob === null ? ['Registration number', registrationNumber] : ['Date of birth', formatUtcDay(dob)],
          [
            'Address',
            <address key="address" className={classes.address}>
              {[line1, line2, place, countryName(country)].filter(Boolean).map((line) => (
                <span key={line}>{line}</span>
              ))}
            </address>,
          ],
        ]}
      />
      <div className={classes.foot}>
        <span className={`${classes.note} num`}>Hidden in {left} s</span>
        <Button variant="default" size="xs" autoFocus onClick={onHide}>
          Hide now
        </Button>
      </div>
    </>
  );
}
