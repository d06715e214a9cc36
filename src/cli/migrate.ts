import type { Command } from 'commander';
import { migrate } from '../db/migrate.ts';
import type { Session } from './session.ts';

export function migrateCommand(emboss: Command, session: Session): void {
  emboss
    .command('migrate')
    .description('Apply all migrations (the server also does this when it starts)')
    .action(() =>
      session.run(
        async ({ applied, monthsMade, ownerUrl }) => {
          // A start creates no partitions while other transactions hold locks. This command waits for them.
          if (!monthsMade) await migrate(ownerUrl, { patiently: true });
          return {
            json: { applied },
            text: applied.length === 0 ? 'The schema is up to date.' : `Applied: ${applied.join(', ')}`,
          };
        },
        { makesDatabase: true },
      ),
    );
}
