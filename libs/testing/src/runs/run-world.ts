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
  type RunCommand,
  RunDraft,
  type WorkflowDefinition,
  workflowDefinition,
} from '#workflow';

const beginning = Date.UTC(2026, 10, 25, 18);
const hash = 'ab'.repeat(32);
const tester: Author = { principal: 'tester' };

/** The steps of a definition and its other members. */
export type SampleDefinition = Readonly<Record<string, unknown>>;

/** A run in a context in memory. For tests, which specify the actions of its workers, its people and its clock. */
export class RunWorld {
  readonly workflow: CompiledWorkflow;
  /** The definition that decisions use; undefined if the store does not have it. */
  definition: CompiledWorkflow | undefined;
  readonly events: RecordedContextEvent[] = [];
  state = ContextState.from([]);
  /** Milliseconds since the run began. */
  time = 0;
  epoch = 'epoch 1';
  random = 0.5;
  runId = 'r1';
  dueAt: string | null = null;
  /** Whether every decision is made twice: with the requested items, and with all items. */
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
    world.execute(world.startOf(input));
    return world;
  }

  startOf(input: JsonValue = null): RunCommand {
    const definition = { definitionId: this.workflow.id, version: 1, hash };
    return { type: 'start', definition, input, by: 'starter' };
  }

  /** The events that would result; nothing is stored. */
  decide(command: RunCommand): readonly DecidedEvent[] {
    return this.#advance(command).events;
  }

  /** Stores the resulting events in one append. */
  execute(command: RunCommand): readonly DecidedEvent[] {
    const { events, dueAt } = this.#advance(command);
    for (const event of events)
      this.#record(event, event.principal ? { principal: event.principal } : reporterOf(command));
    this.dueAt = dueAt;
    return events;
  }

  get run(): RunFacts {
    const run = findRun(this.state.lookup);
    if (!run) throw new Error('there is no run');
    return run;
  }

  /** Replaces this run by another, as if more events had occurred. */
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

  /** Steps with an attempt that can be claimed now, or with an open visit in another state. */
  stepsWith(status: StepFacts['status']): readonly string[] {
    return this.run.active.filter((stepId) => this.step(stepId).status === status);
  }

  claim(stepId: string, token = `${stepId}-token`): readonly DecidedEvent[] {
    const claim = { ...this.#report(stepId, token), type: 'claim', effectKey: hash } as const;
    return this.execute(claim);
  }

  complete(
    stepId: string,
    output: JsonValue = null,
    token = `${stepId}-token`,
  ): readonly DecidedEvent[] {
    const report = this.#report(stepId, token);
    return this.execute({ ...report, type: 'complete', output });
  }

  /** Claims and completes an attempt of the step. */
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
    return this.execute({ ...report, type: 'fail', reason, retryable, code });
  }

  lose(stepId: string, usual: 'replay_safe' | 'keyed' | 'ask' = 'ask'): readonly DecidedEvent[] {
    const { visit, attempt } = this.step(stepId);
    return this.execute({ type: 'lose', stepId, visit, attempt, usual });
  }

  approve(stepId: string, comment?: string, by = 'ada'): readonly DecidedEvent[] {
    return this.#verdict(stepId, 'approved', { comment, by });
  }

  reject(stepId: string, comment?: string, by = 'ada'): readonly DecidedEvent[] {
    return this.#verdict(stepId, 'rejected', { comment, by });
  }

  /** Advances the time and performs everything that is due. */
  pass(milliseconds: number): readonly DecidedEvent[] {
    this.time += milliseconds;
    return this.execute({ type: 'tick' });
  }

  envelope(stepId: string): Envelope {
    const draft = new RunDraft(this.state.lookup, this.workflow, this.#circumstances());
    return envelopeOf(draft, stepId, { contextId: 'c1', effectKey: hash });
  }

  /** The value that a transformation derives. */
  derive(path: string, value: JsonValue): void {
    const origin = { from: [], transformation: 't', transformationVersion: 1 };
    this.#record({ type: 'ValueDerived', data: { path, value, ...origin } }, tester);
  }

  /** The newest event of a type. */
  last<Type extends ContextEvent['type']>(type: Type): EventData<Type> {
    const event = this.events.findLast((each) => each.type === type);
    if (!event) throw new Error(`there is no ${type}`);
    // The type of an event determines the type of its data.
    return event.data as EventData<Type>;
  }

  #verdict(
    stepId: string,
    decision: 'approved' | 'rejected',
    decided: Readonly<{ comment: string | undefined; by: string; agents?: readonly string[] }>,
  ) {
    const approvalId = this.step(stepId).approval?.approvalId ?? 'none';
    const by = { principal: decided.by, agents: decided.agents ?? [] };
    return this.execute({ type: 'decide', approvalId, decision, comment: decided.comment, by });
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

  #circumstances() {
    const { runId, random, epoch, events } = this;
    const now = beginning + this.time;
    return { contextId: 'c1', runId, now, random, epoch, version: events.length };
  }

  /** Decides with the requested items only, as commands to a context do. */
  #advance(command: RunCommand) {
    const { definition, state } = this;
    const { interpretation } = advanceCommand(definition, command, this.#circumstances());
    const keys = new Set([lifeKey, ...interpretation.reads(state.lookup)].map(nameOf));
    const current: typeof this.state.lookup = (kind, key) =>
      keys.has(nameOf({ kind, key })) ? this.state.lookup(kind, key) : undefined;
    const advanced = advance(current, definition, command, this.#circumstances());
    if (this.checksReads)
      deepStrictEqual(
        advanced,
        advance(state.lookup, definition, command, this.#circumstances()),
        `what is decided on the items that "${command.type}" asks for differs from what is decided on all items`,
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

/** The principal who sends the command. */
function reporterOf(command: RunCommand): Author {
  if ('worker' in command) return command.worker;
  if (!('by' in command)) return tester;
  const { by } = command;
  return { principal: typeof by === 'string' ? by : by.principal };
}

/** 64 hexadecimal digits, different for different tokens. */
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
