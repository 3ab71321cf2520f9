import { type JsonValue, utf8Length } from '#event-sourcing';
import {
  type Author,
  type ContextEvent,
  type DecidedEvent,
  type Item,
  type ItemLookup,
  type RecordedContextEvent,
  type RecordedFacts,
  type RunFacts,
  RunConflictError,
  type StepFacts,
  changedItem,
  findRun,
  findRunStep,
  foldEvent,
  isActiveRun,
  sourceOf,
} from '#shared-context';

import { type CompiledStep, type CompiledWorkflow } from '../definition/compiled-workflow.js';
import { type Circumstances } from './run-command.js';
import { type RunVisibility } from './run-visibility.js';

/** The author of conclusions of the interpreter. */
export const executor = 'executor';

/**
 * The maximum number of steps that the interpreter carries out in one append; further ones are scheduled and due at
 * once.
 */
const maxPerformed = 32;

/**
 * An append may have 1 MiB. A reported output takes at most half of it, conclusions of the interpreter a quarter, and
 * one more computed value less than a quarter, since expressions have at most 65,536 characters.
 */
export const maxReportedBytes = 512 * 1_024;
const maxConcludedBytes = 256 * 1_024;

/** A command may be stored at most this much later than another command that read the clock after it. */
const maxCrossingMs = 60_000;

/** The approximate size of an event without its payload. */
const envelopeBytes = 500;
/** The approximate size of the events that begin a visit. */
const visitBytes = 900;

/** `enter`: begin a visit. `proceed`: continue a visit. `close`: handle the end of a branch with this step. */
export type Task =
  | Readonly<{ kind: 'enter'; stepId: string; from: string | undefined }>
  | Readonly<{ kind: 'proceed' | 'close'; stepId: string }>;

/**
 * The state of a run during the decision of one command. Each appended event is folded at once, by the folds of the context
 * itself, so that further decisions take it into account.
 */
export class RunDraft {
  readonly events: DecidedEvent[] = [];
  /** The pending work of the interpreter in this append, in order. */
  readonly tasks: Task[] = [];
  /** The number of steps that it has carried out in this append. */
  performedSteps = 0;
  /** The bytes of conclusions, without reported events. */
  bytes = 0;
  readonly #items = new Map<string, Item | undefined>();

  constructor(
    private readonly current: ItemLookup,
    private readonly definition: CompiledWorkflow | undefined,
    readonly circumstances: Circumstances,
    /** The visibility for the audience of an envelope; without it, as for the interpreter, everything is visible. */
    readonly visibility?: RunVisibility,
  ) {}

  readonly lookup: ItemLookup = (kind, key) => {
    const name = `${kind} ${key}`;
    return this.#items.has(name) ? this.#items.get(name) : this.current(kind, key);
  };

  /** The definition of the run. Throws RunConflictError if this store does not have it, for example after an import. */
  get workflow(): CompiledWorkflow {
    if (this.definition) return this.definition;
    const { definitionId, hash } = this.run;
    throw new RunConflictError(
      `this store does not have the definition of run "${this.circumstances.runId}": publish workflow "${definitionId}" with hash ${hash}, or cancel the run`,
    );
  }

  /**
   * The time to record in events: never before that of an earlier event, even if commands of branches are stored in
   * another order than they read the clock. If the clock was set back further, the recorded time follows it.
   */
  get at(): string {
    const { now, runId } = this.circumstances;
    const run = findRun(this.lookup);
    const last = run?.runId === runId ? Date.parse(run.clockAt) : now;
    return timeOf(last > now && last - now <= maxCrossingMs ? last : now);
  }

  /** Whether the run is in its context and no other run was started there since. */
  get isNewest(): boolean {
    return findRun(this.lookup)?.runId === this.circumstances.runId;
  }

  get run(): RunFacts {
    const run = findRun(this.lookup);
    if (run?.runId !== this.circumstances.runId)
      throw new RunConflictError(`there is no run "${this.circumstances.runId}" in this context`);
    return run;
  }

  /** Whether the run is active and not being cancelled. */
  get canContinue(): boolean {
    const { run } = this;
    return isActiveRun(run) && run.status !== 'cancelling';
  }

  step(stepId: string): StepFacts {
    const step = findRunStep(stepId, this.lookup);
    if (!step)
      throw new RunConflictError(`run "${this.circumstances.runId}" has no step "${stepId}"`);
    return step;
  }

  definitionOf(stepId: string): CompiledStep {
    const step = Object.hasOwn(this.workflow.steps, stepId) && this.workflow.steps[stepId];
    if (!step) throw new RunConflictError(`the definition has no step "${stepId}"`);
    return step;
  }

  /** Whether the remaining work must be left to a later append, so that none grows too large. */
  get isFull(): boolean {
    const bytes = this.bytes + this.tasks.length * visitBytes;
    return this.performedSteps >= maxPerformed || bytes >= maxConcludedBytes;
  }

  /** The members of every event of a run. */
  get runFields() {
    return { runId: this.circumstances.runId, at: this.at };
  }

  /** The members of every event of the newest visit of a step. */
  visitFields(stepId: string) {
    const { visit, path } = this.step(stepId);
    return { ...this.runFields, stepId, visit, path: path ?? `${stepId}#${visit}` };
  }

  attemptFields(stepId: string) {
    return { ...this.visitFields(stepId), attempt: this.step(stepId).attempt };
  }

  /** `reporter`: the author of a report; without one, the event is a conclusion of the interpreter. */
  append(event: ContextEvent, reporter?: Author): void {
    this.events.push(reporter ? event : { ...event, ...conclusion });
    if (!reporter) this.bytes += envelopeBytes + utf8Length(JSON.stringify(event.data));
    const version = this.circumstances.version + this.events.length;
    const recorded: RecordedContextEvent = {
      ...event,
      ...this.#facts(reporter ?? { principal: executor }),
      version,
    };
    const source = sourceOf(recorded);
    const cause = { event: recorded, source };
    for (const change of foldEvent(recorded, this.lookup)) {
      const name = `${change.kind} ${change.key}`;
      const before = this.lookup(change.kind, change.key);
      this.#items.set(name, 'removed' in change ? undefined : changedItem(before, change, cause));
    }
  }

  #facts({ principal, agent }: Author): Omit<RecordedFacts, 'version'> {
    const origin = agent === undefined ? null : { agentId: agent, timestamp: null };
    return {
      eventId: '',
      bytes: 0,
      recordedAt: this.at,
      principal,
      origin,
      trust: 'agent',
      visibility: 'record',
      idempotency: null,
    };
  }

  /** The body of an item, for values that expressions read. */
  bodyOf(kind: Item['kind'], key: string): JsonValue | undefined {
    return this.lookup(kind, key)?.body;
  }
}

const conclusion = { principal: executor, origin: null, trust: 'tool' } as const;

/** Whether a time is not later than now. */
export function isPast({ circumstances }: RunDraft, time: string | null): boolean {
  return time !== null && Date.parse(time) <= circumstances.now;
}

export function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
