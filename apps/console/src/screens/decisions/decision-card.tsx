import { Link } from '../../navigation/link.js';
import { consolePath } from '../../navigation/location.js';
import { AgentText } from '../../ui/agent-text.js';
import { Time } from '../../ui/time.js';
import { type Decision, namesStaleBasis, stalePathOf } from './decision.js';
import { DecisionLink, EventLink } from './decision-links.js';

type CardProps = Readonly<{ contextId: string; decision: Decision }>;

/** One decision of a lane: its text, author, status, and how it relates to other decisions. */
export function DecisionCard({ contextId, decision }: CardProps) {
  const { decisionId, decision: text, rationale, agentId, timestamp, version } = decision;
  return (
    <article className={`decision ${decision.status}`}>
      <p className="decision-state">
        <strong>
          <AgentText text={decisionId} />
        </strong>{' '}
        <StatusBadges decision={decision} />
      </p>
      <p className="decision-text">
        <AgentText text={text} />
      </p>
      <p className="muted">
        by <AgentText text={agentId ?? 'unknown'} /> in <EventLink {...{ contextId, version }} />
        {timestamp !== null && (
          <>
            , <Time at={timestamp} />
          </>
        )}
      </p>
      {rationale !== undefined && (
        <p className="decision-text">
          Because: <AgentText text={rationale} />
        </p>
      )}
      <Relations {...{ contextId, decision }} />
      <p>
        <Link
          to={consolePath('contexts', contextId, 'knowledge')}
          parameters={{ decision: decisionId }}
        >
          What the author of <AgentText text={decisionId} /> knew
        </Link>
      </p>
    </article>
  );
}

export function StatusBadges({ decision }: Readonly<{ decision: Decision }>) {
  const { status, stale } = decision;
  return (
    <>
      <span className={`badge decision-${status}`}>{status}</span>{' '}
      {stale && <span className="badge decision-stale">stale</span>}
    </>
  );
}

function Relations({ contextId, decision }: CardProps) {
  const { supersedes, supersededBy, status, decided } = decision;
  return (
    <>
      {supersedes !== undefined && (
        <p>
          {supersedesText[status] ?? 'Supersedes'}{' '}
          <DecisionLink contextId={contextId} decisionId={supersedes} />
        </p>
      )}
      {supersededBy !== undefined && (
        <p>
          Superseded by <DecisionLink contextId={contextId} decisionId={supersededBy} />
        </p>
      )}
      {decided?.by !== undefined && (
        <p>
          {status === 'rejected' ? 'Rejected' : 'Approved'} by <AgentText text={decided.by} />
          {decided.reason !== undefined && (
            <>
              : <AgentText text={decided.reason} />
            </>
          )}
        </p>
      )}
      <Staleness {...{ contextId, decision }} />
    </>
  );
}

const supersedesText: Readonly<Record<string, string>> = {
  pending: 'If approved, supersedes',
  rejected: 'Would have superseded',
};

/** Why a decision is stale: the path to the superseded decision. */
export function Staleness({ contextId, decision }: CardProps) {
  if (!decision.stale) return null;
  const path = stalePathOf(decision);
  if (path.length === 0)
    return <p className="stale-path">Stale: it is based on a superseded decision.</p>;
  return (
    <p className="stale-path">
      Stale: {namesStaleBasis(decision) ? 'it depends on' : 'its author had read'}{' '}
      {path.map((step, at) => (
        <span key={typeof step === 'string' ? step : 'gap'}>
          {at > 0 && ' → '}
          {typeof step === 'string' ? (
            <DecisionLink contextId={contextId} decisionId={step} />
          ) : (
            `${step.omitted} more`
          )}
        </span>
      ))}
      , which was superseded.
    </p>
  );
}
