import { type FormEvent } from 'react';

import { useApiPages } from '../../api/use-api.js';
import { useCurrentList } from '../../api/use-current-list.js';
import { useLive } from '../../api/use-live.js';
import { Link } from '../../navigation/link.js';
import { consolePath, setParameters, useLocation } from '../../navigation/location.js';
import { followsWorkspace, seesEverything, useMe } from '../../session/me.js';
import { AgentText } from '../../ui/agent-text.js';
import { Empty, Loading } from '../../ui/states.js';
import { textIn } from '../../ui/text-in.js';
import { Time } from '../../ui/time.js';
import { VirtualList } from '../../ui/virtual-list.js';
import { type ListedRun, runStatuses } from './run.js';

type Filtering = Readonly<{ state: string | undefined; definition: string | undefined }>;

/** The newest run of each context: those that wait for a person first. */
export function RunsScreen() {
  const { parameters } = useLocation();
  const filters = {
    state: parameters.get('state') ?? undefined,
    definition: parameters.get('definition') ?? undefined,
  };
  return (
    <>
      <h1>Runs</h1>
      {seesEverything(useMe()) ? (
        <>
          <Filters filters={filters} />
          <List filters={filters} />
        </>
      ) : (
        <NeedsEverything />
      )}
    </>
  );
}

/** Instead of runs, for keys of a narrower audience. */
export function NeedsEverything() {
  return (
    <Empty title="Your key does not see everything">
      <p>Only keys of the audience “all” may read runs.</p>
    </Empty>
  );
}

function List({ filters }: Readonly<{ filters: Filtering }>) {
  const list = useApiPages<ListedRun>('/v1/runs', { ...filters, limit: 100 });
  useCurrentList(list);
  useLive(followsWorkspace(useMe()) ? '/v1/stream' : undefined, {
    query: { after: 'head' },
    changes: ['/v1/runs'],
  });
  if (!list.data) return <Loading of={list} />;
  const runs = list.data.pages.flatMap(({ items }) => items);
  if (runs.length === 0)
    return <NoRuns isFiltered={Object.values(filters).some((value) => value !== undefined)} />;
  return (
    <VirtualList
      label="Runs"
      items={runs}
      keyOf={({ contextId }) => contextId}
      estimate={64}
      row={(run) => <Row run={run} />}
      onEnd={list.hasNextPage ? () => void list.fetchNextPage() : undefined}
    />
  );
}

function Row({ run }: Readonly<{ run: ListedRun }>) {
  const { contextId, title, definition, status, reason, startedAt, waitsFor } = run;
  return (
    <article className="row">
      <Link to={consolePath('contexts', contextId, 'run')}>
        <AgentText text={title ?? contextId} />
      </Link>
      <span className={`badge ${status}`}>{status}</span>
      {waitsFor.map(({ kind, agent, path, message, since }) => (
        <span key={path}>
          <AgentText text={path} /> waits for{' '}
          {kind === 'person' ? 'a person' : <AgentText text={agent ?? 'a worker'} />}
          {message !== undefined && (
            <>
              : <AgentText text={message} />
            </>
          )}{' '}
          <span className="since">
            (since <Time at={since} />)
          </span>
        </span>
      ))}
      {reason !== null && <AgentText text={reason} />}
      <span className="muted">
        <AgentText text={definition.definitionId} /> version {definition.version} · started{' '}
        <Time at={startedAt} />
      </span>
    </article>
  );
}

function Filters({ filters: { state, definition } }: Readonly<{ filters: Filtering }>) {
  const filter = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    setParameters({ state: textIn(data, 'state'), definition: textIn(data, 'definition') });
  };
  return (
    <form className="filters" key={`${state} ${definition}`} onSubmit={filter}>
      <label>
        State{' '}
        <select name="state" defaultValue={state ?? ''}>
          <option value="">all</option>
          <option value="active">all active</option>
          <option value="ended">all ended</option>
          {runStatuses.map((status) => (
            <option key={status}>{status}</option>
          ))}
        </select>
      </label>
      <label>
        Workflow <input name="definition" defaultValue={definition} />
      </label>
      <button type="submit">Filter</button>
    </form>
  );
}

function NoRuns({ isFiltered }: Readonly<{ isFiltered: boolean }>) {
  if (isFiltered)
    return (
      <Empty title="No run matches">
        <p>
          <Link to="/runs">Show all runs</Link>
        </p>
      </Empty>
    );
  return (
    <Empty title="There are no runs yet">
      <p>
        Publish a workflow with <code>POST /v1/workflows</code>, and start it with{' '}
        <code>throughline run start</code>.
      </p>
    </Empty>
  );
}
