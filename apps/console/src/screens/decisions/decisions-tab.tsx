import { type FormEvent } from 'react';

import { setParameters, useLocation } from '../../navigation/location.js';
import { Empty, Loading } from '../../ui/states.js';
import { VirtualList } from '../../ui/virtual-list.js';
import { type ShownContext } from '../context/shown-context.js';
import { decisionStatuses, filterDecisions } from './decision.js';
import { DecisionLane } from './decision-lane.js';
import { lanesOf } from './lanes.js';
import { useDecisions } from './use-decisions.js';

/** The decisions of a context at the version of the slider, in a lane per topic. */
export function DecisionsTab({ contextId, version, newest }: ShownContext) {
  const { parameters } = useLocation();
  const { list, decisions } = useDecisions(contextId, version === newest ? undefined : version);
  if (!decisions) return <Loading of={list} />;
  if (decisions.length === 0) return <NoDecisions />;
  const filters = { text: parameters.get('text') ?? '', show: parameters.get('show') ?? '' };
  const lanes = lanesOf(filterDecisions(decisions, filters));
  const stale = decisions.filter((decision) => decision.stale).length;
  return (
    <section aria-label="Decisions">
      <Filters {...filters} />
      <p className="muted">
        {decisions.length} decisions{stale > 0 && `, ${stale} of them stale`}. A decision is stale
        if it depends on a superseded one, or if its author had read that one while it was live.
      </p>
      {lanes.length === 0 ? (
        <Empty title="No decision matches">
          <button type="button" onClick={() => setParameters({ text: undefined, show: undefined })}>
            Show all decisions
          </button>
        </Empty>
      ) : (
        <VirtualList
          label="Topics"
          items={lanes}
          keyOf={({ topic }) => topic ?? ''}
          estimate={320}
          row={(lane) => (
            <DecisionLane
              contextId={contextId}
              lane={lane}
              showAll={parameters.get('lane') === (lane.topic ?? '-')}
            />
          )}
        />
      )}
    </section>
  );
}

function Filters({ text, show }: Readonly<{ text: string; show: string }>) {
  const search = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const [newText, newShow] = ['text', 'show'].map((name) => String(data.get(name) ?? ''));
    setParameters({ text: newText, show: newShow });
  };
  return (
    <form className="filters" role="search" onSubmit={search} key={`${show} ${text}`}>
      <label>
        Text, author or id <input name="text" type="search" defaultValue={text} />
      </label>
      <label>
        Show{' '}
        <select name="show" defaultValue={show}>
          <option value="">all decisions</option>
          {[...decisionStatuses, 'stale'].map((state) => (
            <option key={state} value={state}>
              {state}
            </option>
          ))}
        </select>
      </label>
      <button type="submit">Search</button>
    </form>
  );
}

/** An empty state with the request that records the first decision. */
export function NoDecisions() {
  return (
    <Empty title="No decisions at this version">
      <p>
        Agents record a decision with <code>POST /v1/contexts/…/decisions</code>, a{' '}
        <code>topic</code> and a <code>decision</code>. It appears here at once. If the context has
        newer versions, move the slider to the newest one.
      </p>
    </Empty>
  );
}
