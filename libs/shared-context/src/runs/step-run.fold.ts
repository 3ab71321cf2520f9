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

/** The parallel step and the step that a visit comes from, as they are when it begins. */
type Beginning = Readonly<{ parallel: StepFacts | undefined; from: StepFacts | undefined }>;

/** A new visit, or a further attempt of it. */
export function scheduled(
  step: StepFacts,
  { data, version }: RecordedOf<'StepScheduled'>,
  around: Beginning,
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
  return { ...next, ...beginning(around), ...visitOf({ data, version }) };
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

/** What led to a visit is passed on by steps that no agent carries out. */
function beginning({ parallel, from }: Beginning) {
  const frozen = parallel ? [...parallel.frozen, parallel.startedVersion] : [];
  return { within: parallel?.path ?? null, frozen, ...(from ? passedOn(from) : nothing) };
}

const nothing = { handles: null, feedback: null };

function passedOn(from: StepFacts): Pick<StepFacts, 'handles' | 'feedback'> {
  const passed = from.agent === null ? from : nothing;
  return {
    handles: failureIn(from) ?? passed.handles,
    feedback: from.decided?.comment ?? passed.feedback,
  };
}

/** How the newest visit of a step failed; steps that no agent carries out fail without an attempt. */
function failureIn(step: StepFacts): Failure | undefined {
  const last = step.results.at(-1);
  // The result of a parallel step that is open is that of an earlier visit.
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
  said: Readonly<{ message: string; code: string | null }>,
) {
  return { stepId, path, ...said, attempts: step.attempt };
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
  return { ...step, status: 'ended', approval: null, routes, results: resultsBehind(step, event) };
}

/** An output is a result already, of which only the route was not known. */
function resultsBehind(
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

/** Who was authenticated, and for which agent: nobody decides about work that is theirs in either way. */
function authorshipOf({ principal, origin }: Pick<RecordedFacts, 'principal' | 'origin'>): Author {
  const agent = origin?.agentId ?? null;
  return agent === null ? { principal } : { principal, agent };
}

/** Who has decided an approval, and what was said of it. */
function verdictOf({ decided, worker }: StepFacts): Pick<StepResult, 'author' | 'comment'> {
  // What has failed is the work of whoever carried it out.
  if (!decided) return { author: worker };
  const { by, comment } = decided;
  return comment === null ? { author: by } : { author: by, comment };
}

/** Of older results, those that the branches of open parallel steps read. */
function withResult({ results, frozen }: StepFacts, newest: StepResult): readonly StepResult[] {
  const read = frozen.map((at) => results.findLast(({ version }) => version <= at));
  return [...results.filter((result) => read.includes(result)), newest];
}
