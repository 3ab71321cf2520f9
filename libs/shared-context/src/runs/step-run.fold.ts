import { type RecordedFacts, type RecordedOf } from '../context.events.js';
import { type Author } from './run.payload.js';
import {
  type Failure,
  type StepFacts,
  type StepResult,
  noAttempt,
  routeName,
} from './step.facts.js';

/** Events that add the output of a step. */
export type OutputEventType = 'StepOutputAdded' | 'StepOutputDerived';

/** The parallel step and the routing step of a visit, in their state at the start of the visit. */
type VisitContext = Readonly<{ parallel: StepFacts | undefined; from: StepFacts | undefined }>;

/** Starts a new visit, or a further attempt of the current one. */
export function scheduled(
  step: StepFacts,
  { data, version }: RecordedOf<'StepScheduled'>,
  context: VisitContext,
): StepFacts {
  const next: StepFacts = {
    ...step,
    status: 'scheduled',
    attempt: data.attempt,
    agent: data.agent ?? null,
    scheduledAt: data.at,
    dueAt: data.dueAt,
    recovers: data.recovers ?? null,
    verify: data.verify ?? false,
    ...noAttempt,
    approval: null,
    decided: null,
  };
  if (data.visit === step.visit) return next;
  return { ...next, ...visitCause(context), ...visitOf({ data, version }) };
}

function visitOf({ data, version }: Pick<RecordedOf<'StepScheduled'>, 'data' | 'version'>) {
  return {
    visit: data.visit,
    path: data.path,
    startedVersion: version,
    failed: 0,
    lost: 0,
    parallel: data.parallel ?? null,
    failure: null,
  };
}

/** The cause of a visit. Steps without an agent pass on the cause of the visit to them. */
function visitCause({ parallel, from }: VisitContext) {
  const frozen = parallel ? [...parallel.frozen, parallel.startedVersion] : [];
  return { within: parallel?.path ?? null, frozen, ...(from ? causeFrom(from) : noCause) };
}

const noCause = { handles: null, feedback: null };

function causeFrom(from: StepFacts): Pick<StepFacts, 'handles' | 'feedback'> {
  const passed = from.agent === null ? from : noCause;
  return {
    handles: failureIn(from) ?? passed.handles,
    feedback: from.decided?.comment ?? passed.feedback,
  };
}

/** The failure of the newest visit of a step, if it failed. Steps without an agent fail without an attempt. */
function failureIn(step: StepFacts): Failure | undefined {
  const last = step.results.at(-1);
  // The newest result of an open parallel step belongs to an earlier visit.
  if (last?.outcome !== 'failed' || last.path !== step.path) return undefined;
  const { path, error, attempts } = last;
  const [stepId = path] = path.split('#');
  return step.failure ?? { stepId, path, message: error ?? '', code: null, attempts };
}

export function attemptStarted(
  step: StepFacts,
  event: RecordedOf<'StepAttemptStarted'>,
): StepFacts {
  const { tokenHash, effectKey, deadline, at, receipt = null } = event.data;
  const started = { tokenHash, effectKey, deadline, startedAt: at, receipt };
  return { ...step, ...started, status: 'running', worker: authorshipOf(event) };
}

export function attemptFailed(
  step: StepFacts,
  { data }: RecordedOf<'StepAttemptFailed'>,
): StepFacts {
  const failure = failureOf(step, data, { message: data.reason, code: data.code ?? null });
  return { ...step, status: 'failing', failed: step.failed + 1, failure };
}

export function attemptTimedOut(
  step: StepFacts,
  { data }: RecordedOf<'StepAttemptTimedOut'>,
): StepFacts {
  if (data.cause === 'lost') {
    // prose-ignore: text of views, whose bytes are pinned
    const message = 'whoever carried it out stopped renewing its claim';
    const failure = failureOf(step, data, { message, code: 'lost' });
    return { ...step, status: 'failing', lost: step.lost + 1, failure };
  }
  const failure = failureOf(step, data, { message: 'the attempt timed out', code: 'timeout' });
  return { ...step, status: 'failing', failed: step.failed + 1, failure };
}

function failureOf(
  step: StepFacts,
  { stepId, path }: Readonly<{ stepId: string; path: string }>,
  reported: Readonly<{ message: string; code: string | null }>,
) {
  return { stepId, path, ...reported, attempts: step.attempt };
}

export function approvalRequested(
  step: StepFacts,
  { data }: RecordedOf<'ApprovalRequested'>,
): StepFacts {
  const { approvalId, message, authors, at } = data;
  const { expiresAt = null, byDefault = null, attempt = null } = data;
  const approval = { approvalId, message, authors, requestedAt: at, expiresAt, byDefault, attempt };
  return { ...step, status: attempt === null ? 'asking' : 'doubt', approval, decided: null };
}

export function approvalDecided(step: StepFacts, event: RecordedOf<'ApprovalDecided'>): StepFacts {
  const { approvalId, decision, comment = null } = event.data;
  const decided = { approvalId, decision, comment, by: authorshipOf(event) };
  return { ...step, status: 'decided', approval: null, decided };
}

export function outputAdded(
  step: StepFacts,
  event: RecordedOf<OutputEventType>,
  run: RecordedOf<'StepOutputDerived'>['data']['run'],
): StepFacts {
  const result: StepResult = {
    path: run.path,
    visit: run.visit,
    version: event.version,
    outcome: 'completed',
    hasOutput: true,
    startedAt: step.startedAt ?? step.scheduledAt,
    endedAt: run.at,
    attempts: run.attempt,
    within: step.within,
    error: null,
    handled: false,
    author: authorshipOf(event),
  };
  return { ...step, status: 'ended', failure: null, results: withResult(step, result) };
}

export function routed(step: StepFacts, event: RecordedOf<'StepRouted'>): StepFacts {
  const { data } = event;
  const name = data.to === null ? undefined : routeName({ ...data, to: data.to });
  const routes =
    name === undefined ? step.routes : { ...step.routes, [name]: (step.routes[name] ?? 0) + 1 };
  return {
    ...step,
    status: 'ended',
    approval: null,
    routes,
    results: resultsAfterRouting(step, event),
  };
}

/** The results after routing. If the visit added an output, its result exists, and only the route is added. */
function resultsAfterRouting(
  step: StepFacts,
  { data, version }: RecordedOf<'StepRouted'>,
): readonly StepResult[] {
  const last = step.results.at(-1);
  if (last?.path === data.path) return [...step.results.slice(0, -1), { ...last, to: data.to }];
  const { path, visit, outcome, to, at, holds, handled = false, reason = null } = data;
  return withResult(step, {
    path,
    visit,
    version,
    outcome,
    hasOutput: false,
    to,
    error: reason,
    handled,
    startedAt: step.startedAt ?? step.scheduledAt,
    endedAt: at,
    attempts: step.attempt,
    within: step.within,
    ...verdictOf(step),
    ...(holds !== undefined && { holds }),
  });
}

/** The principal and the agent of an event: neither of them may decide about this work. */
function authorshipOf({ principal, origin }: Pick<RecordedFacts, 'principal' | 'origin'>): Author {
  const agent = origin?.agentId ?? null;
  return agent === null ? { principal } : { principal, agent };
}

/** The author and the comment of a decided approval. */
function verdictOf({ decided, worker }: StepFacts): Pick<StepResult, 'author' | 'comment'> {
  // Failed work belongs to its worker.
  if (!decided) return { author: worker };
  const { by, comment } = decided;
  return comment === null ? { author: by } : { author: by, comment };
}

/** Adds a result, and retains only the older results that branches of open parallel steps read. */
function withResult({ results, frozen }: StepFacts, newest: StepResult): readonly StepResult[] {
  const read = frozen.map((at) => results.findLast(({ version }) => version <= at));
  return [...results.filter((result) => read.includes(result)), newest];
}
