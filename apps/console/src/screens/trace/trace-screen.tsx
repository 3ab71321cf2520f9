import { type UseQueryResult } from '@tanstack/react-query';
import { useEffect } from 'react';

import { apiPath } from '../../api/client.js';
import { useApi } from '../../api/use-api.js';
import { useLive } from '../../api/use-live.js';
import { type SignedInPrincipal, followsWorkspace, useMe } from '../../session/me.js';
import { AgentText } from '../../ui/agent-text.js';
import { Loading } from '../../ui/states.js';
import { VirtualList } from '../../ui/virtual-list.js';
import { TraceRowView } from './trace-row.js';
import { type TraceNode, type TraceRow, treeOf } from './trace-tree.js';

type Trace = Readonly<{ nodes: readonly TraceNode[]; truncated: boolean }>;

/** The causes and effects of an event, in all contexts of the workspace. */
export function TraceScreen({ eventId }: Readonly<{ eventId: string }>) {
  const me = useMe();
  const path = apiPath('events', eventId, 'trace');
  const trace = useApi<Trace>(path);
  const self = trace.data?.body.nodes.find(({ relation }) => relation === 'self');
  const stream = streamOf(me, self);
  useLive(stream?.path, { query: { after: stream?.after }, changes: [path] });
  return (
    <section className="trace">
      <h1>Causes and effects</h1>
      {trace.data ? (
        <>
          <Summary {...trace.data.body} />
          <Lag of={trace} lag={Number(trace.data.headers.get('x-projection-lag') ?? 0)} />
          <Rows rows={treeOf(trace.data.body.nodes)} />
        </>
      ) : (
        <Loading of={trace} />
      )}
    </section>
  );
}

/** Follows the workspace if the key may, otherwise the context of the event. */
function streamOf(me: SignedInPrincipal, self: TraceNode | undefined) {
  if (!self) return undefined;
  if (followsWorkspace(me)) return { path: '/v1/stream', after: 'head' };
  return { path: apiPath('contexts', self.contextId, 'stream'), after: self.version };
}

function Summary({ nodes, truncated }: Trace) {
  const self = nodes.find(({ relation }) => relation === 'self');
  const count = (wanted: TraceNode['relation']) =>
    nodes.filter(({ relation }) => relation === wanted).length;
  return (
    <>
      <p>
        Of the event <AgentText text={self?.line ?? self?.type ?? 'unknown'} />
      </p>
      <p className="muted">
        Causes: {count('ancestor')} · Effects: {count('descendant')} · Others of the same
        correlation: {count('correlated')}
        {truncated && ' · There are more: a trace has at most 1,000 events'}
      </p>
      {nodes.length === 1 && (
        <p>
          This event has no recorded cause or effect. To link events, agents send the header{' '}
          <code>Causation-Id</code> with the id of the event that made them act, and one{' '}
          <code>Correlation-Id</code> for all events of a task.
        </p>
      )}
    </>
  );
}

/** Milliseconds after which a trace is read again while events are missing. */
const readAgainMs = 1_000;

function Lag({
  of: { dataUpdatedAt, refetch },
  lag,
}: Readonly<{ of: Pick<UseQueryResult, 'dataUpdatedAt' | 'refetch'>; lag: number }>) {
  useEffect(() => {
    if (lag === 0) return undefined;
    const timer = setTimeout(() => void refetch(), readAgainMs);
    return () => clearTimeout(timer);
  }, [lag, dataUpdatedAt, refetch]);
  if (lag === 0) return null;
  return (
    <p className="muted">
      The newest {lag} events of the server may be missing. They are being indexed.
    </p>
  );
}

function Rows({ rows }: Readonly<{ rows: readonly TraceRow[] }>) {
  return (
    <VirtualList
      label="Events of the trace"
      items={rows}
      keyOf={({ node }) => node.eventId}
      estimate={52}
      row={(row) => <TraceRowView row={row} />}
    />
  );
}
