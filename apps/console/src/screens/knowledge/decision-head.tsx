import { AgentText } from '../../ui/agent-text.js';
import { Time } from '../../ui/time.js';
import { Staleness, StatusBadges } from '../decisions/decision-card.js';
import { type Decision } from '../decisions/decision.js';
import { EventLink } from '../decisions/decision-links.js';

/** Who decided what, and when. */
export function DecisionHead({
  contextId,
  decision,
}: Readonly<{ contextId: string; decision: Decision }>) {
  const { decision: text, rationale, agentId, timestamp, version } = decision;
  return (
    <section className="decision-head">
      <h2>
        <AgentText text={decision.decisionId} /> <StatusBadges decision={decision} />
      </h2>
      <p>
        <AgentText text={text} />
      </p>
      {rationale !== undefined && (
        <p>
          Because: <AgentText text={rationale} />
        </p>
      )}
      <p>
        Decided by{' '}
        <strong>
          <AgentText text={agentId ?? 'unknown'} />
        </strong>{' '}
        in <EventLink {...{ contextId, version }} />
        {timestamp !== null && (
          <>
            , <Time at={timestamp} />
          </>
        )}
      </p>
      <Staleness {...{ contextId, decision }} />
    </section>
  );
}
