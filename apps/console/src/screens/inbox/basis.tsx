import { type ReactNode } from 'react';

import { apiPath } from '../../api/client.js';
import { useApi } from '../../api/use-api.js';
import { Link } from '../../navigation/link.js';
import { consolePath } from '../../navigation/location.js';
import { AgentText } from '../../ui/agent-text.js';
import { JsonView } from '../../ui/json-view.js';
import { Loading } from '../../ui/states.js';
import { Time } from '../../ui/time.js';
import { type ContextEvent, actorOf } from '../timeline/event.js';
import { CitedRead } from './cited-read.js';
import { DecisionBasis } from './decision-basis.js';
import { Facts } from './facts.js';
import { type ApprovalWork, type Work, type WorkOf } from './work.js';

/** What a decision about the work rests on. */
export function Basis({ work }: Readonly<{ work: Work }>): ReactNode {
  switch (work.kind) {
    case 'approval':
    case 'doubt':
      return <ApprovalBasis work={work} />;
    case 'decision':
      return <DecisionBasis work={work} />;
    case 'handover':
      return <HandoverBasis work={work} />;
    case 'input-request': {
      const { path, agentId, from, reason } = work.entry;
      return <Facts facts={{ 'requested by': agentId, 'requested from': from, path, reason }} />;
    }
    case 'circuit-breaker': {
      const { current, max, reason } = work.entry;
      return <Facts facts={{ iterations: `${current} of ${max}`, reason }} />;
    }
    case 'run': {
      const { stepId, attempt } = work.entry;
      return <Facts facts={{ step: stepId, attempt: String(attempt) }} />;
    }
  }
}

type RunHead = Readonly<{
  outputOf: Readonly<{ stepId: string; version: number }> | null;
}>;

/** The newest output of the run with the read that its author cites. */
function ApprovalBasis({ work: { contextId, entry } }: Readonly<{ work: ApprovalWork }>) {
  const run = useApi<RunHead>(apiPath('contexts', contextId, 'run'));
  const outputOf = run.data?.body.outputOf;
  const authors = entry.authors.map(({ principal, agent }) => agent ?? principal);
  return (
    <>
      <Facts facts={{ step: entry.path, 'work of': authors.join(', ') }} />
      {entry.expiresAt !== null && (
        <p>
          Without a decision, the answer is “{entry.byDefault ?? 'reject'}”{' '}
          <Time at={entry.expiresAt} />.
        </p>
      )}
      <p>
        <Link to={consolePath('contexts', contextId, 'run')}>Show the run</Link>
      </p>
      {run.data ? (
        outputOf && <NewestOutput contextId={contextId} version={outputOf.version} />
      ) : (
        <Loading of={run} />
      )}
    </>
  );
}

type OutputEvent = ContextEvent & Readonly<{ basedOn: string | null }>;

function NewestOutput({ contextId, version }: Readonly<{ contextId: string; version: number }>) {
  const events = useApi<Readonly<{ items: readonly OutputEvent[] }>>(
    apiPath('contexts', contextId, 'events'),
    { after: version - 1, limit: 1 },
  );
  if (!events.data) return <Loading of={events} />;
  const event = events.data.body.items.find((each) => each.version === version);
  if (!event) return null;
  const { stepId, output } = event.data as Readonly<{ stepId: string; output: unknown }>;
  return (
    <>
      <h3>
        Newest output: <AgentText text={stepId} /> by <AgentText text={actorOf(event)} />
      </h3>
      <JsonView value={output} />
      {event.basedOn !== null && <CitedRead receipt={event.basedOn} />}
    </>
  );
}

function HandoverBasis({ work: { entry } }: Readonly<{ work: WorkOf<'handover'> }>) {
  const { from, to, actionItems = [], relatedArtifacts = [] } = entry;
  return (
    <>
      <Facts facts={{ from: from ?? undefined, to }} />
      <Texts title="Action items" texts={actionItems} />
      <Texts title="Related artifacts" texts={relatedArtifacts} />
    </>
  );
}

function Texts({ title, texts }: Readonly<{ title: string; texts: readonly string[] }>) {
  if (texts.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul>
        {texts.map((text) => (
          <li key={text}>
            <AgentText text={text} />
          </li>
        ))}
      </ul>
    </>
  );
}
