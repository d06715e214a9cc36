import { Radio } from '@mantine/core';
import { ChoiceSelect } from '../../components/choice-select.tsx';
import { ROLE_TEXTS } from '../../lib/role-texts.gen.ts';
import { ROLE_NAMES } from '../../lib/role-words.ts';
import type { Role } from '../../lib/types.ts';
import classes from './people-page.module.css';
import { useProgramChoices } from './queries.ts';

export interface Access {
  role: Role;
  /** Empty: all programs. */
  programId: string;
}

/** Role and programs of a person. */
export function AccessFields({
  access,
  onChange,
  disabled = false,
}: {
  access: Access;
  onChange: (access: Access) => void;
  disabled?: boolean;
}) {
  const programs = useProgramChoices();
  return (
    <>
      <Radio.Group
        label="Role"
        value={access.role}
        onChange={(role) => onChange({ ...access, role: role as Role })}
      >
        <div className={classes.choices}>
          {(Object.keys(ROLE_TEXTS) as Role[]).map((role) => {
            const words = ROLE_TEXTS[role];
            const description =
              role === 'viewer' ? `${words.charAt(0).toUpperCase()}${words.slice(1)}` : `Also: ${words}`;
            return <Radio key={role} value={role} label={ROLE_NAMES[role]} {...{ description, disabled }} />;
          })}
        </div>
      </Radio.Group>
      <ChoiceSelect
        label="Access to"
        data={programs}
        disabled={disabled}
        value={access.programId}
        onChange={(programId) => onChange({ ...access, programId })}
      />
    </>
  );
}
