import { IconArrowLeft } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useProgram } from '../../lib/program.ts';

export const BackToRules = () => (
  <Link to="/programs/$programId/rules" params={{ programId: useProgram().id }}>
    <IconArrowLeft size={15} />
    Rules
  </Link>
);
