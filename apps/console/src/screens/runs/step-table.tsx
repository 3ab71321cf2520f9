import { setParameters } from '../../navigation/location.js';
import { AgentText } from '../../ui/agent-text.js';
import { Time } from '../../ui/time.js';
import { type Definition, allSteps } from './definition.js';
import { type Run } from './run.js';
import { type StepState, stateOfStep } from './step-state.js';

type StepTableProps = Readonly<{
  /** Undefined if it is not in this store; only the visited steps are listed then. */
  definition: Definition | undefined;
  run: Run;
  selected: string | undefined;
}>;

/** The same facts as the graph, as text: what each step waits for, its visits and attempts. */
export function StepTable({ definition, run, selected }: StepTableProps) {
  const stepIds = definition ? allSteps(definition.steps).map(({ id }) => id) : visitedSteps(run);
  return (
    <div className="run-steps" role="region" aria-label="Steps" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Step</th>
            <th scope="col">State</th>
            <th scope="col">Visit</th>
            <th scope="col">Attempts</th>
          </tr>
        </thead>
        <tbody>
          {stepIds.map((stepId) => (
            <StepRow
              key={stepId}
              stepId={stepId}
              run={run}
              state={stateOfStep(stepId, run)}
              isSelected={stepId === selected}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function StepRow({
  stepId,
  run,
  state: { style, text, visit, attempts, error },
  isSelected,
}: Readonly<{ stepId: string; run: Run; state: StepState; isSelected: boolean }>) {
  const active = run.active.find((each) => each.stepId === stepId);
  return (
    <tr>
      <th scope="row">
        <button
          type="button"
          aria-pressed={isSelected}
          onClick={() =>
            setParameters({ step: isSelected ? undefined : stepId }, { replace: true })
          }
        >
          <AgentText text={stepId} />
        </button>
      </th>
      <td>
        <span className={`run-state ${style}`}>
          <AgentText text={text} />
        </span>
        {active?.approval && (
          <>
            : <AgentText text={active.approval.message} />
          </>
        )}
        {error !== null && (
          <>
            : <AgentText text={error} />
          </>
        )}
        {active && <Times status={active.status} dueAt={active.dueAt} deadline={active.deadline} />}
      </td>
      <td>{visit}</td>
      <td>{attempts}</td>
    </tr>
  );
}

function Times({
  status,
  dueAt,
  deadline,
}: Readonly<{ status: string; dueAt: string | null; deadline: string | null }>) {
  if (status === 'running' && deadline !== null)
    return (
      <span className="muted">
        {' '}
        (deadline <Time at={deadline} />)
      </span>
    );
  if (dueAt === null) return null;
  return (
    <span className="muted">
      {' '}
      ({Date.parse(dueAt) > Date.now() ? 'not before' : 'since'} <Time at={dueAt} />)
    </span>
  );
}

function visitedSteps({ active, results }: Run): readonly string[] {
  return [...new Set([...results, ...active].map(({ stepId }) => stepId))];
}
