import { Button } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { EmptyState } from './empty-state.tsx';
import { Page, Panel } from './page.tsx';

export function NotFoundPage() {
  return (
    <Page title="Not found">
      <Panel>
        <EmptyState
          icon={IconSearch}
          title="This page does not exist"
          action={
            <Button component={Link} to="/" variant="default" mt="sm">
              Go to the overview
            </Button>
          }
        >
          The link may be incomplete, or it may belong to a program that you cannot access.
        </EmptyState>
      </Panel>
    </Page>
  );
}
