import { apiPath } from '../../api/client.js';
import { useApi } from '../../api/use-api.js';
import { AgentText } from '../../ui/agent-text.js';
import { ErrorNote } from '../../ui/states.js';
import { CitedRead } from './cited-read.js';
import { Facts } from './facts.js';
import { type WorkOf } from './work.js';

type KnowledgeAnswer = Readonly<{
  basedOn: Readonly<{ receipt: string | null }> | null;
  recorded: Readonly<{ seen: 'no' | 'unknown' }>;
  items: readonly Readonly<{ version: number; agentId: string; line: string }>[];
}>;

/** The rationale and the alternatives of a decision, the read that it cites, and the events that its author had not read. */
export function DecisionBasis({
  work: { contextId, entry },
}: Readonly<{ work: WorkOf<'decision'> }>) {
  const { topic, rationale, tradeOffs, confidence, supersedes, agentId } = entry;
  const { alternativesConsidered = [], decisionId } = entry;
  const knowledge = useApi<KnowledgeAnswer>(
    apiPath('contexts', contextId, 'decisions', decisionId, 'knowledge'),
  );
  const facts = {
    by: agentId,
    topic,
    rationale,
    alternatives: alternativesConsidered.join('\n'),
    'trade-offs': tradeOffs,
    confidence: confidence === undefined ? undefined : String(confidence),
    supersedes,
  };
  return (
    <>
      <Facts facts={facts} />
      {knowledge.error && <ErrorNote error={knowledge.error} />}
      {knowledge.data && <KnowledgeOfAuthor knowledge={knowledge.data.body} />}
    </>
  );
}

function KnowledgeOfAuthor({ knowledge }: Readonly<{ knowledge: KnowledgeAnswer }>) {
  const { basedOn, recorded, items } = knowledge;
  return (
    <>
      {basedOn === null && <p className="muted">The decision cites no read.</p>}
      {typeof basedOn?.receipt === 'string' && <CitedRead receipt={basedOn.receipt} />}
      {items.length > 0 && (
        <>
          <h3>
            {recorded.seen === 'no'
              ? 'Recorded before the decision, but not read by its author'
              : 'Recorded before the decision, perhaps not read by its author'}
          </h3>
          <ul>
            {items.map(({ version, agentId, line }) => (
              <li key={version}>
                v{version} <AgentText text={agentId} />: <AgentText text={line} />
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
