import { type FormEvent } from 'react';

import { useApiPages } from '../../api/use-api.js';
import { useCurrentList } from '../../api/use-current-list.js';
import { Link } from '../../navigation/link.js';
import { consolePath, setParameters, useLocation } from '../../navigation/location.js';
import { AgentText } from '../../ui/agent-text.js';
import { OutcomeBadge } from '../../ui/outcome-badge.js';
import { RefreshNote } from '../../ui/refresh-note.js';
import { Empty, Loading } from '../../ui/states.js';
import { textIn } from '../../ui/text-in.js';
import { Time } from '../../ui/time.js';
import { VirtualList } from '../../ui/virtual-list.js';
import { Attention } from './attention.js';
import { type ContextRow, obstaclesOf } from './context-row.js';

type Filtering = Readonly<Record<(typeof filterNames)[number], string | undefined>>;

const filterNames = ['q', 'status', 'workflow', 'agent'] as const;

/** All contexts: search, filters, and what needs attention first. */
export function ContextsScreen() {
  const { parameters } = useLocation();
  const filters = filtersIn(parameters);
  return (
    <>
      <h1>Contexts</h1>
      <Attention />
      <Filters filters={filters} />
      <List filters={filters} />
    </>
  );
}

function List({ filters }: Readonly<{ filters: Filtering }>) {
  const list = useApiPages<ContextRow>('/v1/contexts', { ...filters, limit: 100 });
  useCurrentList(list);
  if (!list.data) return <Loading of={list} />;
  const rows = list.data.pages.flatMap(({ items }) => items);
  if (rows.length === 0)
    return <NoContexts isFiltered={Object.values(filters).some((value) => value !== undefined)} />;
  return (
    <>
      <RefreshNote data={list.data} path="/v1/contexts" />
      <VirtualList
        label="Contexts"
        items={rows}
        keyOf={({ contextId }) => contextId}
        estimate={60}
        row={(row) => <Row row={row} />}
        onEnd={list.hasNextPage ? () => void list.fetchNextPage() : undefined}
      />
    </>
  );
}

function filtersIn(parameters: URLSearchParams): Filtering {
  const [q, status, workflow, agent] = filterNames.map((name) => parameters.get(name) ?? undefined);
  return { q, status, workflow, agent };
}

function Filters({ filters }: Readonly<{ filters: Filtering }>) {
  const search = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    setParameters(Object.fromEntries(filterNames.map((name) => [name, textIn(data, name)])));
  };
  return (
    <form className="filters" role="search" onSubmit={search} key={JSON.stringify(filters)}>
      <label>
        Search{' '}
        <input
          name="q"
          type="search"
          defaultValue={filters.q}
          placeholder='words, "a phrase", -not'
        />
      </label>
      <label>
        Status{' '}
        <select name="status" defaultValue={filters.status ?? ''}>
          <option value="">all</option>
          <option value="open">open</option>
          <option value="closed">closed</option>
        </select>
      </label>
      <label>
        Workflow <input name="workflow" defaultValue={filters.workflow} />
      </label>
      <label>
        Agent <input name="agent" defaultValue={filters.agent} />
      </label>
      <button type="submit">Search</button>
    </form>
  );
}

function Row({ row }: Readonly<{ row: ContextRow }>) {
  const { contextId, title, outcome, version, updatedAt } = row;
  return (
    <article className="row">
      <Link to={consolePath('contexts', contextId)}>
        <AgentText text={title ?? contextId} />
      </Link>
      <OutcomeBadge outcome={outcome} status={row.status} />
      {obstaclesOf(row).map((reason) => (
        <span key={reason} className="badge attention">
          {reason}
        </span>
      ))}
      <span className="muted">
        <AgentText text={contextId} /> · version {version}
        {updatedAt !== null && (
          <>
            {' · '}
            <Time at={updatedAt} />
          </>
        )}
      </span>
    </article>
  );
}

function NoContexts({ isFiltered }: Readonly<{ isFiltered: boolean }>) {
  if (isFiltered)
    return (
      <Empty title="No context matches">
        <p>
          The search finds whole words. <Link to="/">Show all contexts</Link>
        </p>
      </Empty>
    );
  return (
    <Empty title="There are no contexts yet">
      <p>
        Create one with <code>POST /v1/contexts</code>. To look at a filled workspace, run{' '}
        <code>npm run demo -- --keep</code>.
      </p>
    </Empty>
  );
}
