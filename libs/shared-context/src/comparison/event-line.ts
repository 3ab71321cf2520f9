import { type ContextEvent, type ContextEventType, type EventData } from '../context.events.js';

type Lines = Readonly<{ [Type in ContextEventType]: (data: EventData<Type>) => string }>;

const lines: Lines = {
  ContextCreated: ({ title }) => `created${after(': ', title)}`,
  ContextClosed: ({ outcome, reason }) => `closed${after(' as ', outcome)}${after(': ', reason)}`,
  ContextReopened: ({ reason }) => `reopened${after(': ', reason)}`,
  GlobalContextSet: ({ values }) => `global context: ${Object.keys(values).join(', ')}`,
  PreferencesSet: ({ values }) => `preferences: ${Object.keys(values).join(', ')}`,
  StepStarted: ({ stepId }) => `step ${stepId} started`,
  StepOutputAdded: ({ stepId, name }) => `step ${stepId} has an output${after(' named ', name)}`,
  StepFailed: ({ stepId, reason }) => `step ${stepId} failed: ${reason}`,
  TaskPlanned: ({ taskId, title }) => `task ${taskId} planned: ${title}`,
  TaskStarted: ({ taskId, agent }) => `task ${taskId} started${after(' by ', agent)}`,
  TaskBlocked: ({ taskId, reason }) => `task ${taskId} blocked: ${reason}`,
  TaskCompleted: ({ taskId }) => `task ${taskId} completed`,
  BaselineImported: ({ counters }) => `taken over: ${Object.keys(counters).join(', ')}`,
  PhaseStarted: ({ phase, agent }) => `phase ${phase} started${after(' by ', agent)}`,
  PhaseCompleted: ({ phase, agent }) => `phase ${phase} completed${after(' by ', agent)}`,
  IterationStarted: ({ subject }) => `iteration of ${subject} started`,
  CircuitBreakerTripped: ({ subject, current, max, reason }) =>
    `circuit breaker of ${subject} tripped at ${current} of ${max}${after(': ', reason)}`,
  CircuitBreakerReset: ({ subject, reason }) =>
    `circuit breaker of ${subject} reset${after(': ', reason)}`,
  IterationsCarried: ({ subject, current, max, tripped }) =>
    `loop of ${subject} goes on at ${current} of ${max}${tripped ? ', its breaker tripped' : ''}`,
  DecisionRecorded: (data) =>
    `${data.requiresApproval ? 'proposed' : 'decided'} ${data.decisionId}: ${data.decision}${after(' (supersedes ', data.supersedes, ')')}`,
  DecisionApproved: ({ decisionId, reason }) => `approved ${decisionId}${after(': ', reason)}`,
  DecisionRejected: ({ decisionId, reason }) => `rejected ${decisionId}${after(': ', reason)}`,
  ContextForked: ({ source }) => `forked from ${source.contextId} at version ${source.version}`,
  ContextRestored: ({ version }) => `restored to version ${version}`,
  CheckpointCreated: ({ name, version }) => `checkpoint ${name} at version ${version}`,
  ArtifactReferenced: ({ artifactId, path, uri }) =>
    `artifact ${artifactId}${after(' at ', path ?? uri)}`,
  RequirementRecorded: ({ requirementId, text }) => `requirement ${requirementId}: ${text}`,
  RiskRaised: ({ riskId, severity, description }) =>
    `risk ${riskId} raised (${severity}): ${description}`,
  RiskUpdated: ({ riskId, status, mitigation }) =>
    `risk ${riskId} is ${status}${after(': ', mitigation)}`,
  DependencyDeclared: ({ name, kind }) => `${kind} dependency ${name}`,
  BlockerRaised: ({ blockerId, description }) => `blocked by ${blockerId}: ${description}`,
  SignalEmitted: ({ signal, subject, ...said }) =>
    `${signal}: ${subject}${after(' - ', Object.values(Object.values<object | undefined>(said)[0] ?? {}).join())}`,
  RecordAppended: ({ kind, title }) => `${kind} recorded${after(': ', title)}`,
  ReviewRecorded: ({ reviewId, artifact, status, keyIssues }) =>
    `review ${reviewId} of ${artifact}: ${status}${keyIssues.length === 0 ? '' : `, issues: ${keyIssues.length}`}`,
  AgentInputsChecked: ({ agent, missing, failed }) =>
    `inputs of ${agent}: ${missing.length} missing, ${failed.length} failed`,
  QualityScored: ({ agent, output, scores }) =>
    `${output} of ${agent} scored: ${Object.entries(scores)
      .map(([measure, score]) => `${measure} ${score}`)
      .join(', ')}`,
  GatePassed: (gate) => `${gateLine(gate)} passed`,
  GateFailed: (gate) => `${gateLine(gate)} failed`,
  ValueDerived: ({ path, problem, transformation }) =>
    `${path} derived by ${transformation}${after(', without a value: ', problem)}`,
  SummaryAdded: ({ summaryId, covers, model }) =>
    `summary ${summaryId} of versions ${covers.from} to ${covers.to} by ${model}`,
  SourceImported: ({ format, name, part, parts }) =>
    `${name} imported as ${format}${parts === 1 ? '' : `, part ${part} of ${parts}`}`,
  HandoverNoted: ({ handoverId, to, note }) => `handover ${handoverId} to ${to}: ${note}`,
  HandoverAcknowledged: ({ handoverId, note }) =>
    `handover ${handoverId} acknowledged${after(': ', note)}`,
  InputRequested: ({ inputRequestId, path, from, reason }) =>
    `input ${inputRequestId} asked of ${from}: ${path}${after(' (', reason, ')')}`,
  InputProvided: ({ inputRequestId, note }) =>
    `input ${inputRequestId} provided${after(': ', note)}`,
  RunStarted: ({ runId, definition: { definitionId, version } }) =>
    `run ${runId} of ${definitionId} version ${version} started`,
  StepScheduled: ({ path, attempt, agent }) =>
    `attempt ${attempt} of ${path} scheduled${after(' for ', agent)}`,
  StepAttemptStarted: ({ path, attempt }) => `attempt ${attempt} of ${path} started`,
  StepOutputDerived: ({ stepId }) => `step ${stepId} has a computed output`,
  StepAttemptFailed: ({ path, attempt, reason }) =>
    `attempt ${attempt} of ${path} failed: ${reason}`,
  StepAttemptTimedOut: ({ path, attempt, cause }) =>
    `attempt ${attempt} of ${path} ${cause === 'lost' ? 'was lost' : 'timed out'}`,
  StepRouted: ({ path, outcome, to, reason }) =>
    `${path} ${outcome}${to === null ? '' : `, on to ${to}`}${after(': ', reason)}`,
  ApprovalRequested: ({ path, message }) => `approval of ${path} requested: ${message}`,
  ApprovalDecided: ({ path, decision, expired, comment }) =>
    `approval of ${path}: ${decision}${expired ? ' by default' : ''}${after(': ', comment)}`,
  RunPaused: ({ runId, reason }) => `run ${runId} paused${after(': ', reason)}`,
  RunResumed: ({ runId }) => `run ${runId} resumed`,
  RunCancelRequested: ({ runId, reason }) =>
    `run ${runId} is being cancelled${after(': ', reason)}`,
  RunCancelled: ({ runId, reason }) => `run ${runId} cancelled${after(': ', reason)}`,
  RunCompleted: ({ runId, outcome }) => `run ${runId} ${outcome}`,
  RunFailed: ({ runId, reason }) => `run ${runId} failed: ${reason}`,
  BlockerCleared: ({ blockerId, note }) => `blocker ${blockerId} cleared${after(': ', note)}`,
};

function gateLine({ agent, output, gate, score, threshold, for: asker }: EventData<'GatePassed'>) {
  return `gate ${gate} of ${output} of ${agent}${after(' for ', asker)}: ${score} of ${threshold},`;
}

const longest = 160;

/** What an event says, in one line of at most 160 characters; names stay as they were written. */
export function eventLine({ type, data }: ContextEvent): string {
  // The table is keyed by type, so the function found takes exactly the data it was found by.
  const line = (lines[type] as (data: unknown) => string)(data).replace(/\s+/g, ' ').trim();
  const points = Array.from(line);
  return points.length <= longest ? line : `${points.slice(0, longest - 1).join('')}…`;
}

function after(before: string, text: string | undefined, behind = ''): string {
  return text === undefined || text === '' ? '' : `${before}${text}${behind}`;
}
