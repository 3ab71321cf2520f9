import { apiPath } from '../../api/client.js';
import { versionIn } from '../../api/etag.js';
import { useApi } from '../../api/use-api.js';
import { AgentText } from '../../ui/agent-text.js';
import { JsonView } from '../../ui/json-view.js';
import { Loading } from '../../ui/states.js';
import { Time } from '../../ui/time.js';
import { type ContextEvent, actorOf, headlineOf, wordsOf } from '../timeline/event.js';

const count = 8;

/** The newest events of a context, newest first. */
export function LastEntries({ contextId }: Readonly<{ contextId: string }>) {
  const path = apiPath('contexts', contextId);
  const head = useApi<unknown>(path, { parts: ['title'] });
  const newest = versionIn(head.data?.headers.get('etag'));
  const events = useApi<Readonly<{ items: readonly ContextEvent[] }>>(
    newest === undefined ? undefined : `${path}/events`,
    { after: Math.max(0, (newest ?? 0) - count), limit: count },
  );
  return (
    <>
      <h3>Newest entries of the context</h3>
      {events.data ? (
        <ol className="last-entries">
          {events.data.body.items.toReversed().map((event) => (
            <li key={event.eventId}>
              <Entry event={event} />
            </li>
          ))}
        </ol>
      ) : (
        <Loading of={head.data ? events : head} />
      )}
    </>
  );
}

function Entry({ event }: Readonly<{ event: ContextEvent }>) {
  return (
    <details>
      <summary>
        <span className="muted">v{event.version}</span>{' '}
        <strong>
          <AgentText text={actorOf(event)} />
        </strong>{' '}
        {wordsOf(event.type)} <AgentText text={headlineOf(event.data)} />{' '}
        <span className="muted">
          <Time at={event.recordedAt} />
        </span>
      </summary>
      <JsonView value={event.data} />
    </details>
  );
}
