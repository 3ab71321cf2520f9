import { deepStrictEqual } from 'node:assert';

import { type JsonValue } from '#event-sourcing';
import {
  type Author,
  type ContextEvent,
  ContextState,
  type DecidedEvent,
  type EventData,
  type ItemKey,
  type RecordedContextEvent,
  type RunFacts,
  type StepFacts,
  findRun,
  findRunStep,
  lifeKey,
  runKey,
} from '#shared-context';
import {
  advance,
  advanceCommand,
  type CompiledWorkflow,
  compileWorkflow,
  type Envelope,
  envelopeOf,
  type Happening,
  RunDraft,
  type WorkflowDefinition,
  workflowDefinition,
} from '#workflow';

const beginning = Date.UTC(2026, 10, 25, 18);
const hash = 'ab'.repeat(32);
const tester: Author = { principal: 'tester' };

/** The steps of a definition, and what it says beside them. */
export type SampleDefinition = Readonly<Record<string, unknown>>;

/** A context in memory in which a run happens: for tests, which say what its workers, its people and its clock do. */
export class RunWorld {
  readonly workflow: CompiledWorkflow;
  /** What is decided with; undefined if the store does not have it. */
  definition: CompiledWorkflow | undefined;
  readonly events: RecordedContextEvent[] = [];
  state = ContextState.from([]);
  /** Milliseconds since the run began. */
  time = 0;
  epoch = 'epoch 1';
  random = 0.5;
  runId = 'r1';
  dueAt: string | null = null;
  /** Whether everything is decided twice: on what was asked for, and on all there is. */
  checksReads = false;

  constructor(definition: SampleDefinition | CompiledWorkflow) {
    this.workflow =
      'root' in definition
        ? // Only compiled definitions have a root.
          (definition as CompiledWorkflow)
        : compileWorkflow(parse(definition));
    this.definition = this.workflow;
    this.#record({ type: 'ContextCreated', data: {} }, tester);
  }

  static start(definition: SampleDefinition, input: JsonValue = null): RunWorld {
    const world = new RunWorld(definition);
    world.happen(world.startOf(input));
    return world;
  }

  startOf(input: JsonValue = null): Happening {
    const definition = { definitionId: this.workflow.id, version: 1, hash };
    return { type: 'start', definition, input, by: 'starter' };
  }

  /** What would come of it; nothing is stored. */
  decide(happening: Happening): readonly DecidedEvent[] {
    return this.#advance(happening).events;
  }

  /** Stores what comes of it, in one append. */
  happen(happening: Happening): readonly DecidedEvent[] {
    const { events, dueAt } = this.#advance(happening);
    for (const event of events)
      this.#record(event, event.principal ? { principal: event.principal } : reporterOf(happening));
    this.dueAt = dueAt;
    return events;
  }

  get run(): RunFacts {
    const run = findRun(this.state.lookup);
    if (!run) throw new Error('there is no run');
    return run;
  }

  /** Puts another run in the place of this one, as if more had happened. */
  replaceRun(facts: Partial<RunFacts>): void {
    const item = this.state.get(runKey.kind, runKey.key);
    if (!item) throw new Error('there is no run');
    const replaced = { ...item, state: { ...item.state, ...facts } };
    const others = [...this.state.values()].filter((each) => each !== item);
    this.state = ContextState.from([...others, replaced]);
  }

  step(stepId: string): StepFacts {
    const step = findRunStep(stepId, this.state.lookup);
    if (!step) throw new Error(`there is no step ${stepId}`);
    return step;
  }

  /** Steps with an attempt that may be claimed now, or an open visit in another state. */
  stepsWith(status: StepFacts['status']): readonly string[] {
    return this.run.active.filter((stepId) => this.step(stepId).status === status);
  }

  claim(stepId: string, token = `${stepId}-token`): readonly DecidedEvent[] {
    const claim = { ...this.#report(stepId, token), type: 'claim', effectKey: hash } as const;
    return this.happen(claim);
  }

  complete(
    stepId: string,
    output: JsonValue = null,
    token = `${stepId}-token`,
  ): readonly DecidedEvent[] {
    const report = this.#report(stepId, token);
    return this.happen({ ...report, type: 'complete', output });
  }

  /** Claims and completes. */
  finish(stepId: string, output: JsonValue = null): readonly DecidedEvent[] {
    return [...this.claim(stepId), ...this.complete(stepId, output)];
  }

  fail(
    stepId: string,
    reason = 'it went wrong',
    { retryable = true, code }: Readonly<{ retryable?: boolean; code?: string }> = {},
  ): readonly DecidedEvent[] {
    this.claim(stepId);
    const report = this.#report(stepId, `${stepId}-token`);
    return this.happen({ ...report, type: 'fail', reason, retryable, code });
  }

  lose(stepId: string, usual: 'replay_safe' | 'keyed' | 'ask' = 'ask'): readonly DecidedEvent[] {
    const { visit, attempt } = this.step(stepId);
    return this.happen({ type: 'lose', stepId, visit, attempt, usual });
  }

  approve(stepId: string, comment?: string, by = 'ada'): readonly DecidedEvent[] {
    return this.#verdict(stepId, 'approved', { comment, by });
  }

  reject(stepId: string, comment?: string, by = 'ada'): readonly DecidedEvent[] {
    return this.#verdict(stepId, 'rejected', { comment, by });
  }

  /** Lets time pass, and whatever is due happen. */
  pass(milliseconds: number): readonly DecidedEvent[] {
    this.time += milliseconds;
    return this.happen({ type: 'tick' });
  }

  envelope(stepId: string): Envelope {
    const draft = new RunDraft(this.state.lookup, this.workflow, this.#given());
    return envelopeOf(draft, stepId, { contextId: 'c1', effectKey: hash });
  }

  /** What a transformation derives from what was written. */
  derive(path: string, value: JsonValue): void {
    const made = { from: [], transformation: 't', transformationVersion: 1 };
    this.#record({ type: 'ValueDerived', data: { path, value, ...made } }, tester);
  }

  /** The newest event of a type. */
  last<Type extends ContextEvent['type']>(type: Type): EventData<Type> {
    const event = this.events.findLast((each) => each.type === type);
    if (!event) throw new Error(`there is no ${type}`);
    // The type of an event says what its data are.
    return event.data as EventData<Type>;
  }

  #verdict(
    stepId: string,
    decision: 'approved' | 'rejected',
    said: Readonly<{ comment: string | undefined; by: string; agents?: readonly string[] }>,
  ) {
    const approvalId = this.step(stepId).approval?.approvalId ?? 'none';
    const by = { principal: said.by, agents: said.agents ?? [] };
    return this.happen({ type: 'decide', approvalId, decision, comment: said.comment, by });
  }

  #report(stepId: string, token: string) {
    const { visit, attempt, agent } = this.step(stepId);
    return {
      stepId,
      visit,
      attempt,
      tokenHash: hashOf(token),
      worker: { principal: agent ?? 'nobody' },
    };
  }

  #given() {
    const { runId, random, epoch, events } = this;
    const now = beginning + this.time;
    return { contextId: 'c1', runId, now, random, epoch, version: events.length };
  }

  /** Decided on nothing but the items that were asked for, as commands to a context are. */
  #advance(happening: Happening) {
    const { definition, state } = this;
    const { interpretation } = advanceCommand(definition, happening, this.#given());
    const keys = new Set([lifeKey, ...interpretation.reads(state.lookup)].map(nameOf));
    const current: typeof this.state.lookup = (kind, key) =>
      keys.has(nameOf({ kind, key })) ? this.state.lookup(kind, key) : undefined;
    const advanced = advance(current, definition, happening, this.#given());
    if (this.checksReads)
      deepStrictEqual(
        advanced,
        advance(state.lookup, definition, happening, this.#given()),
        `what is decided on the items that "${happening.type}" asks for differs from what is decided on all items`,
      );
    return advanced;
  }

  #record(event: ContextEvent, { principal, agent }: Author): void {
    const origin = agent === undefined ? null : { agentId: agent, timestamp: null };
    const recorded: RecordedContextEvent = {
      eventId: '',
      bytes: 0,
      recordedAt: new Date(beginning + this.time).toISOString(),
      principal,
      origin,
      trust: 'agent',
      visibility: 'record',
      idempotency: null,
      ...event,
      version: this.events.length + 1,
    };
    this.events.push(recorded);
    this.state = this.state.apply(recorded);
  }
}

/** Who is authenticated as the one who says what happened. */
function reporterOf(happening: Happening): Author {
  if ('worker' in happening) return happening.worker;
  if (!('by' in happening)) return tester;
  const { by } = happening;
  return { principal: typeof by === 'string' ? by : by.principal };
}

/** 64 hexadecimal digits that differ where tokens do. */
export function hashOf(token: string): string {
  const hex = Array.from(token, (each) => each.charCodeAt(0).toString(16)).join('');
  return hex.padEnd(64, '0').slice(0, 64);
}

function parse(definition: SampleDefinition): WorkflowDefinition {
  return workflowDefinition.parse({ id: 'sample', ...definition });
}

function nameOf({ kind, key }: ItemKey): string {
  return `${kind} ${key}`;
}
