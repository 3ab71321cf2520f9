import { type EventStore } from '#event-sourcing';
import { type RecordedContextEvent, decodeEvent } from '#shared-context';

import { streamOf } from '../context-client.js';
import { type OutsideServer } from './outside-server.js';
import { type ShownRun } from './run-client.js';

export type RunEvents = readonly RecordedContextEvent[];
type Events = RunEvents;
type EventOf<Type> = Extract<RecordedContextEvent, { type: Type }>;

/** The outcome of a run, without the number and times of attempts, which a kill may change. */
export type Outcome = Readonly<{
  status: string;
  output: unknown;
  outputOf: string | undefined;
  results: readonly string[];
  outputs: readonly string[];
}>;

export async function readStory(store: EventStore, contextId: string): Promise<Events> {
  const stored = await store.readStream(streamOf(contextId), { limit: 10_000 });
  return stored.map(decodeEvent);
}

export function outcomeOf(run: ShownRun, events: Events): Outcome {
  const outputs = events.flatMap((event) =>
    event.type === 'StepOutputAdded' || event.type === 'StepOutputDerived'
      ? [`${event.data.run?.path}: ${JSON.stringify(event.data.output)}`]
      : [],
  );
  return {
    status: run.status,
    output: run.output,
    outputOf: run.outputOf?.stepId,
    results: run.results.map(({ path, outcome }) => `${path} ${outcome}`).toSorted(),
    outputs: outputs.toSorted(),
  };
}

/** Violations of the invariants of events of any run, regardless of kills; one line per fault. */
export function faultsIn(events: Events, recoveries: ReadonlyMap<string, string>): string[] {
  const questions = ofType(events, 'ApprovalRequested');
  return [
    ...repeated('a visit has ended', ofType(events, 'StepRouted').map(pathOf)),
    ...repeated('a visit has an output', outputsOf(events)),
    ...repeated('an attempt has started', ofType(events, 'StepAttemptStarted').map(attemptOf)),
    ...repeated(
      'a person was asked',
      questions.map(({ data }) => data.approvalId),
    ),
    ...repeated(
      'a decision was stored',
      ofType(events, 'ApprovalDecided').map(({ data }) => data.approvalId),
    ),
    ...doubtsOf(events)
      .filter(({ data }) => recoveries.get(data.stepId) !== 'ask')
      .map(({ data }) => `a person was asked about ${data.path}, which recovers by itself`),
  ];
}

/** Started attempts without an event that states their outcome, such as the retry by the next one. */
function findUnexplained(events: Events): readonly EventOf<'StepAttemptStarted'>[] {
  const outputs = ofType(events, 'StepOutputAdded').flatMap(({ data: { run } }) => run ?? []);
  const failed = ofType(events, 'StepAttemptFailed').map(({ data }) => data);
  const missing = ofType(events, 'StepAttemptTimedOut').flatMap(({ data }) =>
    data.cause === 'deadline' ? [data] : [],
  );
  const doubts = doubtsOf(events).map(({ data }) => data);
  const explained = new Set(
    [...outputs, ...failed, ...missing, ...doubts].map(({ path, attempt }) => `${path} ${attempt}`),
  );
  return ofType(events, 'StepAttemptStarted').filter(
    ({ data: { path, attempt } }) => !explained.has(`${path} ${attempt}`),
  );
}

/** Violations of the invariants of the effects of a run; one line per fault. */
export function faultsOutside(
  { applied, calls }: OutsideServer,
  contextId: string,
  events: Events,
  recoveries: ReadonlyMap<string, string>,
): string[] {
  const ownCalls = applied.filter((each) => each.contextId === contextId);
  const once = ownCalls.filter(({ path }) =>
    /keyed|verify/.test(recoveries.get(stepOf(path)) ?? ''),
  );
  const keys = calls
    .filter((each) => each.contextId === contextId)
    .map(({ step: { path }, effectKey }) => `${path} ${effectKey}`);
  // An attempt that no worker has received is repeated without an approval.
  const called = new Set(
    calls.flatMap(({ contextId: of, step }) =>
      of === contextId ? [`${step.path} attempt ${step.attempt}`] : [],
    ),
  );
  return [
    ...findUnexplained(events)
      .filter((each) => recoveries.get(each.data.stepId) === 'ask' && called.has(attemptOf(each)))
      .map((started) => `nobody was asked about ${attemptOf(started)}`),
    ...repeated(
      'an effect happened',
      once.map(({ path }) => path),
    ),
    ...repeated(
      'attempts of a visit have different effect keys',
      [...new Set(keys)].map((key) => key.split(' ')[0] ?? ''),
    ),
  ];
}

/** The approvals about attempts that may or may not have taken effect. */
export function doubtsOf(events: Events): readonly EventOf<'ApprovalRequested'>[] {
  return ofType(events, 'ApprovalRequested').filter(({ data }) => data.attempt !== undefined);
}

export function lostOf(events: Events): readonly EventOf<'StepAttemptTimedOut'>[] {
  return ofType(events, 'StepAttemptTimedOut').filter(({ data }) => data.cause === 'lost');
}

/** One line per event, for the analysis of a failure. */
export function describeStory(events: Events): string[] {
  return events.map(({ version, recordedAt, type, data }) => {
    const { path, attempt, cause, reason, outcome } = data as Readonly<Record<string, unknown>>;
    const more = [path, attempt, cause, outcome, reason].filter((each) => each !== undefined);
    return [version, recordedAt, type, ...more].join(' ');
  });
}

function ofType<Type extends RecordedContextEvent['type']>(
  events: Events,
  type: Type,
): readonly EventOf<Type>[] {
  // The filter returns events of this type only.
  return events.filter((event) => event.type === type) as unknown as readonly EventOf<Type>[];
}

function outputsOf(events: Events): string[] {
  return [...ofType(events, 'StepOutputAdded'), ...ofType(events, 'StepOutputDerived')].flatMap(
    ({ data }) => (data.run ? [data.run.path] : []),
  );
}

function repeated(what: string, names: readonly string[]): string[] {
  const counts = Map.groupBy(names, (name) => name);
  return [...counts].flatMap(([name, all]) =>
    all.length > 1 ? [`${what} ${all.length} times: ${name}`] : [],
  );
}

function pathOf({ data }: Readonly<{ data: Readonly<{ path: string }> }>): string {
  return data.path;
}

function attemptOf({ data }: EventOf<'StepAttemptStarted'>): string {
  return `${data.path} attempt ${data.attempt}`;
}

function stepOf(path: string): string {
  return path.slice(0, path.lastIndexOf('#'));
}
