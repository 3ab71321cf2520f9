import { apiPath } from '../../api/client.js';
import { useWrite } from '../../api/use-api.js';
import { Link } from '../../navigation/link.js';
import { consolePath } from '../../navigation/location.js';
import { AgentText } from '../../ui/agent-text.js';
import { counted } from '../../ui/counted.js';
import { ErrorNote } from '../../ui/states.js';
import { Time } from '../../ui/time.js';
import { type DeadLetter, type RetryResult } from './dead-letter.js';

type DeadLetterRowProps = Readonly<{ letter: DeadLetter; onApplied: (message: string) => void }>;

/** A quarantined context: the event that could not be applied, the error, and a button that applies it again. */
export function DeadLetterRow({ letter, onApplied }: DeadLetterRowProps) {
  const { id, contextId, error, attempts, parkedAt, triedAt } = letter;
  const retry = useWrite<string, RetryResult>(
    (letterId) => ({ path: apiPath('dead-letters', letterId, 'retry') }),
    ['/v1/dead-letters', '/v1/projections'],
  );
  const start = () =>
    // The promise is used because the row is removed as soon as the list is read again.
    void retry.mutateAsync(id).then(
      ({ done }) => done && onApplied(`All events of ${contextId} are applied`),
      () => undefined,
    );
  return (
    <article className="dead-letter">
      <EventLinks letter={letter} />
      <AgentText text={error} block />
      <div className="acts">
        <button type="button" className="primary" disabled={retry.isPending} onClick={start}>
          Retry
        </button>
        <span role="status">{retry.data?.done === false && 'It failed again'}</span>
      </div>
      {retry.error && <ErrorNote error={retry.error} />}
      <p className="muted">
        {counted(attempts, 'attempt')}, the first <Time at={parkedAt} />, the last{' '}
        <Time at={triedAt} />
      </p>
    </article>
  );
}

function EventLinks({
  letter: { workspace, contextId, version, type, eventId },
}: Readonly<{ letter: DeadLetter }>) {
  return (
    <p>
      <span className="badge failed">
        <AgentText text={type ?? 'missing event'} />
      </span>{' '}
      <Link to={consolePath('contexts', contextId)} parameters={{ workspace, event: version }}>
        <AgentText text={contextId} />, version {version}
      </Link>{' '}
      in the workspace <AgentText text={workspace} />
      {eventId !== null && (
        <>
          {' · '}
          <Link to={consolePath('events', eventId, 'trace')} parameters={{ workspace }}>
            Causes and effects
          </Link>
        </>
      )}
    </p>
  );
}
