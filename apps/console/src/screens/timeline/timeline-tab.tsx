import { useEffect } from 'react';

import { apiPath } from '../../api/client.js';
import { useApiPages } from '../../api/use-api.js';
import { setParameters, useLocation } from '../../navigation/location.js';
import { AgentText } from '../../ui/agent-text.js';
import { JsonView } from '../../ui/json-view.js';
import { Empty, Loading } from '../../ui/states.js';
import { Time } from '../../ui/time.js';
import { VirtualList } from '../../ui/virtual-list.js';
import { type ShownContext } from '../context/shown-context.js';
import { EventLinks } from './event-links.js';
import { type ContextEvent, actorOf, headlineOf, wordsOf } from './event.js';

/** Events that one request reads. */
const pageSize = 500;

/** The events of a context up to the version of the slider, in a lane per agent. */
export function TimelineTab({ contextId, version }: ShownContext) {
  const { parameters } = useLocation();
  const list = useApiPages<ContextEvent>(apiPath('contexts', contextId, 'events'), {
    limit: pageSize,
  });
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  if (!list.data) return <Loading of={list} />;
  const events = list.data.pages
    .flatMap(({ items }) => items)
    .filter((event) => event.version <= version);
  const lanes = [...new Set(events.map(actorOf))];
  const selected = Number(parameters.get('event'));
  if (events.length === 0) return <Empty title="No event is visible at this version" />;
  return (
    <section className="timeline">
      <p className="muted">
        {events.length} events by {lanes.length} authors, oldest first
      </p>
      <VirtualList
        label="Events"
        items={events}
        keyOf={({ eventId }) => eventId}
        estimate={44}
        scrollTo={indexOf(events, selected)}
        row={(event) => (
          <Row {...{ contextId, event, lanes }} isOpen={event.version === selected} />
        )}
      />
    </section>
  );
}

function indexOf(events: readonly ContextEvent[], version: number): number | undefined {
  const at = events.findIndex((event) => event.version === version);
  return at === -1 ? undefined : at;
}

/** Lanes that get a column; further authors share the last one. */
const maxLanes = 8;

type RowProps = Readonly<{
  contextId: string;
  event: ContextEvent;
  lanes: readonly string[];
  isOpen: boolean;
}>;

function Row({ contextId, event, lanes, isOpen }: RowProps) {
  const { type, version, recordedAt, visibility, data } = event;
  const lane = Math.min(lanes.indexOf(actorOf(event)), maxLanes - 1);
  return (
    <article className="event" data-lane={lane}>
      <button
        type="button"
        className="event-head"
        aria-expanded={isOpen}
        onClick={() => setParameters({ event: isOpen ? undefined : version }, { replace: true })}
      >
        <span className="event-version">v{version}</span>
        <strong>
          <AgentText text={actorOf(event)} />
        </strong>
        <span>{wordsOf(type)}</span>
        <span className="headline">
          <AgentText text={headlineOf(data)} />
        </span>
        {visibility === 'working' && <span className="badge">working note</span>}
        <span className="muted">
          <Time at={recordedAt} />
        </span>
      </button>
      {isOpen && <EventLinks contextId={contextId} event={event} />}
      {isOpen && <JsonView value={event} />}
    </article>
  );
}
