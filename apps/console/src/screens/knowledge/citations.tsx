import { apiPath } from '../../api/client.js';
import { useApi } from '../../api/use-api.js';
import { AgentText } from '../../ui/agent-text.js';
import { Loading } from '../../ui/states.js';
import { type Decision, type RelatedDecision } from '../decisions/decision.js';
import { DecisionLink, EventLink } from '../decisions/decision-links.js';
import { wordsOf } from '../timeline/event.js';
import { Lines } from './lines.js';
import { type Basis, type Receipt, namingsOf, otherCitations } from './knowledge.js';

type CitationsProps = Readonly<{
  contextId: string;
  decision: Decision;
  decisions: readonly Decision[];
  basis: Basis | null;
}>;

/** What a decision names, and what names it or is based on the same read. */
export function Citations({ contextId, decision, decisions, basis }: CitationsProps) {
  const { decisionId, version } = decision;
  return (
    <>
      <section>
        <h2>What it cites</h2>
        <Cited {...{ contextId, decision }} />
      </section>
      <section>
        <h2>What cites it</h2>
        <Lines
          label="Decisions that cite it"
          items={namingsOf(decisionId, decisions)}
          keyOf={(naming) => `${naming.relation} ${naming.decision.decisionId}`}
          row={(naming) => (
            <>
              <DecisionLink contextId={contextId} decisionId={naming.decision.decisionId} /> by{' '}
              <AgentText text={naming.decision.agentId ?? 'unknown'} />{' '}
              <span className="badge">{naming.relation}</span>{' '}
              <AgentText text={naming.decision.decision} />
            </>
          )}
          none="No other decision names this one in supersedes or relatedDecisions."
        />
        {basis?.link && basis.receipt !== null && (
          <SameRead receipt={basis.receipt} {...{ contextId, version }} />
        )}
      </section>
    </>
  );
}

function Cited({ contextId, decision }: Readonly<{ contextId: string; decision: Decision }>) {
  const { supersedes, relatedDecisions = [], relatedRequirements = [] } = decision;
  const named = [
    ...(supersedes === undefined ? [] : [{ relation: 'supersedes', decisionId: supersedes }]),
    ...relatedDecisions,
  ].filter(isFirst);
  return (
    <>
      <Lines
        label="Decisions that it cites"
        items={named}
        keyOf={({ relation, decisionId }) => `${relation} ${decisionId}`}
        row={({ relation, decisionId }) => (
          <>
            <span className="badge">{relation}</span>{' '}
            <DecisionLink {...{ contextId, decisionId }} />
          </>
        )}
        none="It names no other decision."
      />
      {relatedRequirements.length > 0 && (
        <p>
          Requirements: <AgentText text={relatedRequirements.join(', ')} />
        </p>
      )}
    </>
  );
}

function isFirst(one: RelatedDecision, at: number, all: readonly RelatedDecision[]): boolean {
  const { decisionId, relation } = one;
  return at === all.findIndex((o) => o.decisionId === decisionId && o.relation === relation);
}

/** Other events that cite the read that a decision cites. */
function SameRead({
  receipt,
  contextId,
  version,
}: Readonly<{ receipt: string; contextId: string; version: number }>) {
  const answer = useApi<Receipt>(apiPath('receipts', receipt));
  if (!answer.data) return <Loading of={answer} />;
  const { body } = answer.data;
  return (
    <>
      <h3>Based on the same read</h3>
      <Lines
        label="Events based on the same read"
        items={otherCitations(body, { contextId, version })}
        keyOf={({ eventId }) => eventId}
        row={(event) => (
          <>
            <EventLink contextId={event.contextId} version={event.version} /> {wordsOf(event.type)}
            {event.contextId !== contextId && (
              <>
                {' '}
                in <AgentText text={event.contextId} />
              </>
            )}
          </>
        )}
        none="No other event cites this read."
      />
      {body.citedByTruncated && <p className="muted">Only the first 100 events are listed.</p>}
    </>
  );
}
