import { useEffect } from 'react';

import { apiPath } from '../../api/client.js';
import { useApiPages } from '../../api/use-api.js';
import { Link } from '../../navigation/link.js';
import { AgentText } from '../../ui/agent-text.js';
import { JsonView } from '../../ui/json-view.js';
import { Loading } from '../../ui/states.js';
import { Time } from '../../ui/time.js';
import { type ContextEvent, actorOf, headlineOf, wordsOf } from '../timeline/event.js';
import { workKey } from '../inbox/work.js';
import { type ActiveVisit, type Run } from './run.js';
import { attemptIn, isOfStep, stepEventTypes } from './step-events.js';

type StepDetailProps = Readonly<{
  contextId: string;
  run: Run;
  stepId: string;
  version: number;
}>;

/** The visits and attempts of a step in this run, as its events. */
export function StepDetail({ contextId, run, stepId, version }: StepDetailProps) {
  const list = useApiPages<ContextEvent>(apiPath('contexts', contextId, 'events'), {
    types: stepEventTypes.join(','),
    limit: 500,
  });
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  const asking = run.active.find((each) => each.stepId === stepId && each.approval !== null);
  const events = list.data?.pages
    .flatMap(({ items }) => items)
    .filter((event) => event.version <= version && isOfStep(event, { runId: run.runId, stepId }));
  return (
    <section aria-label={`History of ${stepId}`}>
      <h2>
        Visits and attempts of <AgentText text={stepId} />
      </h2>
      {asking && <ApprovalLink contextId={contextId} visit={asking} />}
      {!events && <Loading of={list} />}
      {events?.length === 0 && <p className="muted">The run has not reached this step.</p>}
      <ol className="last-entries">
        {events?.map((event) => (
          <li key={event.eventId}>
            <StepEvent event={event} />
          </li>
        ))}
      </ol>
    </section>
  );
}

/** A link to the entry of the inbox with which a person decides. */
function ApprovalLink({
  contextId,
  visit: { status, approval },
}: Readonly<{ contextId: string; visit: ActiveVisit }>) {
  if (!approval) return null;
  const kind = status === 'doubt' ? 'doubt' : 'approval';
  const item = workKey(kind, contextId, approval.approvalId);
  return (
    <p>
      A person decides in the{' '}
      <Link to="/inbox" parameters={{ context: contextId, item }}>
        inbox
      </Link>
      .
    </p>
  );
}

function StepEvent({ event }: Readonly<{ event: ContextEvent }>) {
  const { data, type, version, recordedAt } = event;
  const { visit, attempt } = attemptIn(data);
  return (
    <details>
      <summary>
        <span className="muted">v{version}</span>
        {visit !== undefined && ` visit ${visit}`}
        {attempt !== undefined && `, attempt ${attempt}`} <strong>{wordsOf(type)}</strong> by{' '}
        <AgentText text={actorOf(event)} />{' '}
        <span className="muted">
          <Time at={recordedAt} />
        </span>{' '}
        <AgentText text={reasonIn(data)} />
      </summary>
      <JsonView value={data} />
    </details>
  );
}

/** The text of an event besides its step. */
function reasonIn(data: unknown): string {
  if (typeof data !== 'object' || data === null) return '';
  return headlineOf({ ...data, stepId: undefined });
}
