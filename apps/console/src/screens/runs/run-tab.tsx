import { apiPath } from '../../api/client.js';
import { useApi } from '../../api/use-api.js';
import { useLocation } from '../../navigation/location.js';
import { seesEverything, useMe } from '../../session/me.js';
import { AgentText } from '../../ui/agent-text.js';
import { Empty, Loading } from '../../ui/states.js';
import { Time } from '../../ui/time.js';
import { type ShownContext } from '../context/shown-context.js';
import { type Definition } from './definition.js';
import { RunControls } from './run-controls.js';
import { RunGraphView } from './run-graph-view.js';
import { type Run } from './run.js';
import { NeedsEverything } from './runs-screen.js';
import { StepDetail } from './step-detail.js';
import { StepTable } from './step-table.js';

type PublishedVersion = Readonly<{ hash: string; definition: Definition }>;

/** The newest run of a context at the version of the slider: its state, the graph of its steps, and one step in detail. */
export function RunTab(context: ShownContext) {
  if (!seesEverything(useMe())) return <NeedsEverything />;
  return <RunAtVersion {...context} />;
}

function RunAtVersion({ contextId, version, newest }: ShownContext) {
  const isNewest = version === newest;
  // The document has the run of any version; the run alone exists for the newest version only.
  const document = useApi<Readonly<{ run: Run | null }>>(apiPath('contexts', contextId), {
    parts: ['run'],
    asOf: isNewest ? undefined : version,
  });
  if (!document.data) return <Loading of={document} />;
  const { run } = document.data.body;
  if (!run)
    return (
      <Empty title="The context has no run">
        <p>
          Start one with <code>throughline run start</code>, or{' '}
          <code>POST /v1/contexts/{'{id}'}/run</code>.
        </p>
      </Empty>
    );
  return (
    <>
      <RunHead run={run} />
      {isNewest && <RunControls contextId={contextId} run={run} />}
      <Steps contextId={contextId} run={run} version={version} />
    </>
  );
}

function RunHead({ run }: Readonly<{ run: Run }>) {
  const { definition, status, reason, guard, startedAt, startedBy, endedAt, metadata } = run;
  return (
    <>
      <h2>
        Run of <AgentText text={definition.definitionId} /> version {definition.version}{' '}
        <span className={`badge ${status}`} role="status">
          {status}
        </span>
      </h2>
      <p className="muted">
        started <Time at={startedAt} />
        {startedBy !== null && (
          <>
            {' '}
            by <AgentText text={startedBy} />
          </>
        )}
        {endedAt !== null && (
          <>
            , ended <Time at={endedAt} />
          </>
        )}
        , {metadata.iterationCount} visits of steps, {metadata.errorCount} unhandled failures
      </p>
      {reason !== null && (
        <p>
          Reason: <AgentText text={reason} />
        </p>
      )}
      {typeof guard === 'string' && <p>Limit that ended it: {guard}</p>}
    </>
  );
}

function Steps({
  contextId,
  run,
  version,
}: Readonly<{ contextId: string; run: Run; version: number }>) {
  const { parameters } = useLocation();
  const { definitionId, version: published, hash } = run.definition;
  const workflow = useApi<PublishedVersion>(
    apiPath('workflows', definitionId, 'versions', String(published)),
  );
  const selected = parameters.get('step') ?? undefined;
  if (!workflow.data) return <Loading of={workflow} />;
  // An imported run may name a version that has other content here.
  const isSame = workflow.data.body.hash === hash;
  const definition = isSame ? workflow.data.body.definition : undefined;
  return (
    <>
      {definition ? (
        <RunGraphView definition={definition} run={run} selected={selected} />
      ) : (
        <p>The graph is not shown: the run was imported, and used another definition.</p>
      )}
      <StepTable definition={definition} run={run} selected={selected} />
      {selected !== undefined && (
        <StepDetail contextId={contextId} run={run} stepId={selected} version={version} />
      )}
    </>
  );
}
