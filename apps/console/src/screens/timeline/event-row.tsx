import { setParameters } from '../../navigation/location.js';
import { AgentText } from '../../ui/agent-text.js';
import { JsonView } from '../../ui/json-view.js';
import { Time } from '../../ui/time.js';
import { EventLinks } from './event-links.js';
import { type ContextEvent, actorOf, headlineOf, wordsOf } from './event.js';

type EventRowProps = Readonly<{
  contextId: string;
  event: ContextEvent;
  lane: number;
  isOpen: boolean;
}>;

/** One event: a line, which opens to its links and its complete content. */
export function EventRow({ contextId, event, lane, isOpen }: EventRowProps) {
  const { type, version, recordedAt, visibility, data } = event;
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

/** A version of which the reader sees no event, or none yet. */
export function EmptyRow({ version, isLoaded }: Readonly<{ version: number; isLoaded: boolean }>) {
  return (
    <p className="event empty-event muted">
      <span className="event-version">v{version}</span>{' '}
      {isLoaded ? 'not visible to your audience' : 'Loading …'}
    </p>
  );
}
