import { type ReactNode } from 'react';

import { ContextScreen } from '../screens/context/context-screen.js';
import { ContextsScreen } from '../screens/contexts/contexts-screen.js';
import { TraceScreen } from '../screens/trace/trace-screen.js';
import { InboxScreen } from '../screens/inbox/inbox-screen.js';
import { RunsScreen } from '../screens/runs/runs-screen.js';
import { Link } from '../navigation/link.js';
import { useLocation } from '../navigation/location.js';
import { matchPath } from '../navigation/match-path.js';
import { ErrorBoundary } from '../ui/error-boundary.js';
import { lazyScreen } from '../ui/lazy-screen.js';

const AuditScreen = lazyScreen(
  async () => (await import('../screens/audit/audit-screen.js')).AuditScreen,
);
const OperationsScreen = lazyScreen(
  async () => (await import('../screens/operations/operations-screen.js')).OperationsScreen,
);

type Route = Readonly<{
  pattern: string;
  title: string;
  screen: (parameters: Readonly<Record<string, string>>) => ReactNode;
}>;

const routes: readonly Route[] = [
  { pattern: '/', title: 'Contexts', screen: () => <ContextsScreen /> },
  {
    pattern: '/contexts/:contextId',
    title: 'Context',
    screen: ({ contextId = '' }) => <ContextScreen contextId={contextId} tab="timeline" />,
  },
  {
    pattern: '/contexts/:contextId/:tab',
    title: 'Context',
    screen: ({ contextId = '', tab = '' }) => <ContextScreen contextId={contextId} tab={tab} />,
  },
  {
    pattern: '/events/:eventId/trace',
    title: 'Causes and effects',
    screen: ({ eventId = '' }) => <TraceScreen key={eventId} eventId={eventId} />,
  },
  { pattern: '/inbox', title: 'Inbox', screen: () => <InboxScreen /> },
  {
    pattern: '/operations',
    title: 'Operations',
    screen: () => <OperationsScreen tab={undefined} />,
  },
  {
    pattern: '/operations/:tab',
    title: 'Operations',
    screen: ({ tab = '' }) => <OperationsScreen tab={tab} />,
  },
  { pattern: '/audit', title: 'Audit', screen: () => <AuditScreen /> },
  { pattern: '/audit/:tab', title: 'Audit', screen: () => <AuditScreen /> },
  { pattern: '/runs', title: 'Runs', screen: () => <RunsScreen /> },
];

/** The screen of the current address. */
export function Routes() {
  const { path } = useLocation();
  for (const { pattern, title, screen } of routes) {
    const parameters = matchPath(pattern, path);
    if (!parameters) continue;
    document.title = `${parameters['contextId'] ?? title} · Throughline`;
    return <ErrorBoundary key={path}>{screen(parameters)}</ErrorBoundary>;
  }
  return (
    <>
      <h1>There is no such page</h1>
      <Link to="/">Go to the contexts</Link>
    </>
  );
}
