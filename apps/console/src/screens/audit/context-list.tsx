import { type FormEvent, type ReactNode } from 'react';

import { useApiPages } from '../../api/use-api.js';
import { useCurrentList } from '../../api/use-current-list.js';
import { setParameters, useLocation } from '../../navigation/location.js';
import { AgentText } from '../../ui/agent-text.js';
import { Empty, Loading } from '../../ui/states.js';
import { VirtualList } from '../../ui/virtual-list.js';
import { type ContextRow } from '../contexts/context-row.js';

type ContextListProps = Readonly<{
  /** The id of the selected context; null if there is none. */
  selected: string | null;
  /** Shown above the list, for actions on the loaded contexts. */
  actions?: (contextIds: readonly string[]) => ReactNode;
  /** Shown in the row of a context. */
  note?: (contextId: string) => ReactNode;
}>;

const pageSize = 100;

/** Contexts with a search. The search and the selected context are in the address. */
export function ContextList({ selected, actions, note }: ContextListProps) {
  const q = useLocation().parameters.get('q') ?? undefined;
  const list = useApiPages<ContextRow>('/v1/contexts', { q, limit: pageSize });
  useCurrentList(list);
  return (
    <section className="audit-list" aria-label="Contexts">
      <SearchForm q={q} />
      {list.data ? (
        <Rows
          rows={list.data.pages.flatMap(({ items }) => items)}
          isSearch={q !== undefined}
          onEnd={list.hasNextPage ? () => void list.fetchNextPage() : undefined}
          {...{ selected, actions, note }}
        />
      ) : (
        <Loading of={list} />
      )}
    </section>
  );
}

type RowsProps = Pick<ContextListProps, 'selected'> &
  Readonly<{
    rows: readonly ContextRow[];
    isSearch: boolean;
    onEnd: (() => void) | undefined;
    actions: ContextListProps['actions'];
    note: ContextListProps['note'];
  }>;

function Rows({ rows, isSearch, onEnd, selected, actions, note }: RowsProps) {
  if (rows.length === 0) return <NoContexts isSearch={isSearch} />;
  return (
    <>
      {actions?.(rows.map(({ contextId }) => contextId))}
      <VirtualList
        label="Contexts to select"
        items={rows}
        keyOf={({ contextId }) => contextId}
        estimate={60}
        row={(row) => <Row {...{ row, selected, note }} />}
        onEnd={onEnd}
      />
    </>
  );
}

function SearchForm({ q }: Readonly<{ q: string | undefined }>) {
  const search = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const value = new FormData(event.currentTarget).get('q');
    setParameters({ q: typeof value === 'string' ? value.trim() : '' });
  };
  return (
    <form className="filters" role="search" key={q} onSubmit={search}>
      <label>
        Search contexts{' '}
        <input name="q" type="search" defaultValue={q} placeholder='words, "a phrase", -not' />
      </label>
      <button type="submit">Search</button>
    </form>
  );
}

function Row({
  row: { contextId, title, version },
  selected,
  note,
}: Readonly<{
  row: ContextRow;
  selected: string | null;
  note: ContextListProps['note'];
}>) {
  return (
    <button
      type="button"
      className="work"
      aria-pressed={contextId === selected}
      onClick={() => setParameters({ context: contextId })}
    >
      <span className="headline">
        <AgentText text={title ?? contextId} />
      </span>
      <span className="muted">
        <AgentText text={contextId} /> · version {version}
      </span>
      {note?.(contextId)}
    </button>
  );
}

function NoContexts({ isSearch }: Readonly<{ isSearch: boolean }>) {
  return isSearch ? (
    <Empty title="No context matches">
      <p>The search finds whole words. Search for other words, or for none to list all.</p>
    </Empty>
  ) : (
    <Empty title="There are no contexts yet">
      <p>
        Create one with <code>POST /v1/contexts</code>, or import one with{' '}
        <code>throughline import</code>.
      </p>
    </Empty>
  );
}
