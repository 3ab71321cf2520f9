import { Link } from '../../navigation/link.js';
import { consolePath } from '../../navigation/location.js';
import { seesEverything, useMe } from '../../session/me.js';
import { type ContextEvent, decisionIdOf } from './event.js';

/** Links from an open event to what explains it. */
export function EventLinks({
  contextId,
  event,
}: Readonly<{ contextId: string; event: ContextEvent }>) {
  const isTraceable = seesEverything(useMe());
  const decision = decisionIdOf(event);
  if (!isTraceable && decision === undefined) return null;
  return (
    <nav className="event-links" aria-label={`About version ${event.version}`}>
      {isTraceable && (
        <Link to={consolePath('events', event.eventId, 'trace')}>Causes and effects</Link>
      )}
      {decision !== undefined && (
        <Link to={consolePath('contexts', contextId, 'knowledge')} parameters={{ decision }}>
          What the author of the decision knew
        </Link>
      )}
    </nav>
  );
}
