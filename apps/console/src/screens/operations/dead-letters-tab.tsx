import { type FormEvent, useRef, useState } from 'react';

import { useApiPages } from '../../api/use-api.js';
import { usePolling } from '../../api/use-polling.js';
import { Link } from '../../navigation/link.js';
import { setParameters, useLocation } from '../../navigation/location.js';
import { RefreshNote } from '../../ui/refresh-note.js';
import { Empty, Loading } from '../../ui/states.js';
import { VirtualList } from '../../ui/virtual-list.js';
import { textIn } from '../../ui/text-in.js';
import { DeadLetterRow } from './dead-letter-row.js';
import { type DeadLetter } from './dead-letter.js';

type Filtering = Readonly<{
  workspace: string | undefined;
  contextId: string | undefined;
  type: string | undefined;
}>;

/** Milliseconds between two reads: no stream reports dead letters. */
const pollMs = 5_000;
const pageSize = 100;

/** Contexts of all workspaces with an event that could not be applied. */
export function DeadLettersTab() {
  const { parameters } = useLocation();
  const filters = {
    // `workspace` in the address is the workspace of the session.
    workspace: parameters.get('in') ?? undefined,
    contextId: parameters.get('context') ?? undefined,
    type: parameters.get('type') ?? undefined,
  };
  return (
    <>
      <h2>Dead letters</h2>
      <p className="muted">
        An event of each of these contexts could not be applied. Their streams still accept writes;
        lists and searches show them as they were before that event.
      </p>
      <Filters filters={filters} />
      <List filters={filters} />
    </>
  );
}

function List({ filters }: Readonly<{ filters: Filtering }>) {
  const list = useApiPages<DeadLetter>('/v1/dead-letters', { ...filters, limit: pageSize });
  usePolling(list, pollMs);
  const status = useRef<HTMLParagraphElement>(null);
  const [message, setMessage] = useState('');
  if (!list.data) return <Loading of={list} />;
  const letters = list.data.pages.flatMap(({ items }) => items);
  const finish = (text: string) => {
    setMessage(text);
    // The button, which had the focus, is gone.
    status.current?.focus();
  };
  return (
    <>
      <p ref={status} role="status" tabIndex={-1} className="operations-status">
        {message}
      </p>
      <RefreshNote data={list.data} path="/v1/dead-letters" />
      {letters.length === 0 ? (
        <NoDeadLetters isFiltered={Object.values(filters).some((value) => value !== undefined)} />
      ) : (
        <VirtualList
          label="Dead letters"
          items={letters}
          keyOf={({ id }) => id}
          estimate={140}
          row={(letter) => <DeadLetterRow letter={letter} onApplied={finish} />}
          onEnd={list.hasNextPage ? () => void list.fetchNextPage() : undefined}
        />
      )}
    </>
  );
}

function Filters({ filters: { workspace, contextId, type } }: Readonly<{ filters: Filtering }>) {
  const filter = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    setParameters({
      in: textIn(data, 'in'),
      context: textIn(data, 'context'),
      type: textIn(data, 'type'),
    });
  };
  return (
    <form className="filters" key={`${workspace} ${contextId} ${type}`} onSubmit={filter}>
      <label>
        Workspace <input name="in" defaultValue={workspace} placeholder="all" />
      </label>
      <label>
        Context <input name="context" defaultValue={contextId} />
      </label>
      <label>
        Type of the event <input name="type" defaultValue={type} />
      </label>
      <button type="submit">Filter</button>
    </form>
  );
}

function NoDeadLetters({ isFiltered }: Readonly<{ isFiltered: boolean }>) {
  if (isFiltered)
    return (
      <Empty title="No dead letter matches">
        <p>
          <Link to="/operations/dead-letters">Show all dead letters</Link>
        </p>
      </Empty>
    );
  return (
    <Empty title="There are no dead letters">
      <p>All events were applied. There is nothing to do.</p>
    </Empty>
  );
}
