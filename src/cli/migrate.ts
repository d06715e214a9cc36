import type { Command } from 'commander';
import type { Session } from './session.ts';

export function migrateCommand(emboss: Command, session: Session): void {
  emboss
    .command('migrate')
    .description('Bring the database to the newest schema (the server does so too when it starts)')
    .action(() =>
      session.run(
        async ({ applied }) => ({
          json: { applied },
          text:
            applied.length === 0
              ? 'The schema is up to date.'
              : `Applied ${applied.length} migrations: ${applied.join(', ')}`,
        }),
        { makesDatabase: true },
      ),
    );
}
