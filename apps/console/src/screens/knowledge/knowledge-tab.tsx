import { apiPath } from '../../api/client.js';
import { useApiPages } from '../../api/use-api.js';
import { Link } from '../../navigation/link.js';
import { consolePath, setParameters, useLocation } from '../../navigation/location.js';
import { AgentText } from '../../ui/agent-text.js';
import { Empty, Loading } from '../../ui/states.js';
import { visibleText } from '../../ui/visible-text.js';
import { type ShownContext } from '../context/shown-context.js';
import { type Decision } from '../decisions/decision.js';
import { NoDecisions } from '../decisions/decisions-tab.js';
import { useDecisions } from '../decisions/use-decisions.js';
import { DecisionHead } from './decision-head.js';
import { type KnowledgeAnswer, type RecordedEvent } from './knowledge.js';
import { Citations } from './citations.js';
import { Read } from './read.js';
import { Unread } from './unread.js';

/** For one decision: what its author had read and had not, what it cites, and what cites it. */
export function KnowledgeTab({ contextId }: ShownContext) {
  const chosen = useLocation().parameters.get('decision') ?? '';
  const { list, decisions } = useDecisions(contextId);
  if (!decisions) return <Loading of={list} />;
  if (decisions.length === 0) return <NoDecisions />;
  const decision = decisions.find(({ decisionId }) => decisionId === chosen);
  return (
    <section className="knowledge" aria-label="Knowledge">
      <Picker decisions={decisions} chosen={decision?.decisionId ?? ''} />
      {decision ? (
        <KnowledgeOf key={chosen} {...{ contextId, decision, decisions }} />
      ) : (
        <NoneChosen contextId={contextId} chosen={chosen} />
      )}
    </section>
  );
}

/** Characters of a decision in the list of the picker. */
const maxLabel = 80;

function Picker({
  decisions,
  chosen,
}: Readonly<{ decisions: readonly Decision[]; chosen: string }>) {
  return (
    <div className="filters">
      <label htmlFor="decision">Decision</label>
      <select
        id="decision"
        value={chosen}
        onChange={({ target }) => setParameters({ decision: target.value })}
      >
        <option value="">choose one</option>
        {decisions.map(({ decisionId, decision }) => (
          <option key={decisionId} value={decisionId}>
            {visibleText(`${decisionId}: ${decision}`.slice(0, maxLabel))}
          </option>
        ))}
      </select>
    </div>
  );
}

function NoneChosen({ contextId, chosen }: Readonly<{ contextId: string; chosen: string }>) {
  const isUnknown = chosen !== '';
  return (
    <Empty title={isUnknown ? 'There is no such decision' : 'Choose a decision'}>
      {isUnknown && (
        <p>
          <AgentText text={chosen} /> is not among the decisions that your key can see.
        </p>
      )}
      <p>
        This page shows what the author of a decision had read, and what others had recorded that
        the author had not read. Choose a decision above, or start from{' '}
        <Link to={consolePath('contexts', contextId, 'decisions')}>the lanes of decisions</Link>.
      </p>
    </Empty>
  );
}

/** Events that one request reads. */
const pageSize = 200;

function KnowledgeOf({
  contextId,
  decision,
  decisions,
}: Readonly<{ contextId: string; decision: Decision; decisions: readonly Decision[] }>) {
  const list = useApiPages<RecordedEvent, KnowledgeAnswer>(
    apiPath('contexts', contextId, 'decisions', decision.decisionId, 'knowledge'),
    { limit: pageSize },
  );
  const knowledge = list.data?.pages[0];
  return (
    <>
      <DecisionHead {...{ contextId, decision }} />
      {!list.data || !knowledge ? (
        <Loading of={list} />
      ) : (
        <>
          <Read basis={knowledge.basedOn} />
          <Unread
            contextId={contextId}
            knowledge={knowledge}
            events={list.data.pages.flatMap(({ items }) => items)}
            onMore={list.hasNextPage ? () => void list.fetchNextPage() : undefined}
          />
          <Citations {...{ contextId, decision, decisions }} basis={knowledge.basedOn} />
        </>
      )}
    </>
  );
}
