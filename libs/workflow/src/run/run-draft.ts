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
import { type Circumstances } from './happening.js';
import { type RunVisibility } from './run-visibility.js';

/** The author of what the interpreter concludes. */
export const executor = 'executor';

/** The most steps that the interpreter carries out in one append; further ones are scheduled, and due at once. */
const maxCarriedOut = 32;

/**
 * An append may have a mebibyte. A reported output takes half of it at most, what the interpreter adds a quarter, one more
 * computed value less than a quarter: expressions have 65,536 characters at most.
 */
export const maxReportedBytes = 512 * 1_024;
const maxConcludedBytes = 256 * 1_024;

/** A command may be stored this much later than another one that has read the clock after it. */
const maxCrossingMs = 60_000;

/** The approximate size of an event without its payload. */
const envelopeBytes = 500;
/** The approximate size of the events that begin a visit. */
const visitBytes = 900;

/** `enter`: begin a visit. `proceed`: go on with one that has begun. `close`: a branch has ended with this step. */
export type Task =
  | Readonly<{ kind: 'enter'; stepId: string; from: string | undefined }>
  | Readonly<{ kind: 'proceed' | 'close'; stepId: string }>;

/**
 * A run while one happening is decided: each event is folded as soon as it is appended, by the folds of the context itself, so that
 * what follows is decided on what was just said.
 */
export class RunDraft {
  readonly events: DecidedEvent[] = [];
  /** What the interpreter has still to do in this append, in this order. */
  readonly tasks: Task[] = [];
  /** Steps that it has carried out in this append. */
  carriedOut = 0;
  /** Of the events, without what was reported. */
  bytes = 0;
  readonly #items = new Map<string, Item | undefined>();

  constructor(
    private readonly current: ItemLookup,
    private readonly definition: CompiledWorkflow | undefined,
    readonly given: Circumstances,
    /** Of the audience that an envelope is made for; without it, as for the interpreter, everything is visible. */
    readonly visibility?: RunVisibility,
  ) {}

  readonly lookup: ItemLookup = (kind, key) => {
    const name = `${kind} ${key}`;
    return this.#items.has(name) ? this.#items.get(name) : this.current(kind, key);
  };

  /** The definition of the run. Throws RunConflictError if this store does not have it, as after an import. */
  get workflow(): CompiledWorkflow {
    if (this.definition) return this.definition;
    const { definitionId, hash } = this.run;
    throw new RunConflictError(
      `the definition of run "${this.given.runId}" is not here: publish workflow "${definitionId}" with hash ${hash}, or cancel the run`,
    );
  }

  /**
   * The time as events state it: never before that of an earlier event, though commands of branches may be stored in another order than
   * they have read the clock. A clock that was set back further is followed.
   */
  get at(): string {
    const { now, runId } = this.given;
    const run = findRun(this.lookup);
    const last = run?.runId === runId ? Date.parse(run.clockAt) : now;
    return timeOf(last > now && last - now <= maxCrossingMs ? last : now);
  }

  /** Whether the run is in its context, and no other one has been started there since. */
  get isNewest(): boolean {
    return findRun(this.lookup)?.runId === this.given.runId;
  }

  get run(): RunFacts {
    const run = findRun(this.lookup);
    if (run?.runId !== this.given.runId)
      throw new RunConflictError(`there is no run "${this.given.runId}" in this context`);
    return run;
  }

  /** Whether the run goes on: neither has ended nor is about to. */
  get goesOn(): boolean {
    const { run } = this;
    return isActiveRun(run) && run.status !== 'cancelling';
  }

  step(stepId: string): StepFacts {
    const step = findRunStep(stepId, this.lookup);
    if (!step) throw new RunConflictError(`run "${this.given.runId}" has no step "${stepId}"`);
    return step;
  }

  definitionOf(stepId: string): CompiledStep {
    const step = Object.hasOwn(this.workflow.steps, stepId) && this.workflow.steps[stepId];
    if (!step) throw new RunConflictError(`the definition has no step "${stepId}"`);
    return step;
  }

  /** Whether what is still to be done is left to a later append, so that none grows too large. */
  get isFull(): boolean {
    const bytes = this.bytes + this.tasks.length * visitBytes;
    return this.carriedOut >= maxCarriedOut || bytes >= maxConcludedBytes;
  }

  /** What every event of a run says. */
  get ofRun() {
    return { runId: this.given.runId, at: this.at };
  }

  /** What every event of the newest visit of a step says. */
  ofVisit(stepId: string) {
    const { visit, path } = this.step(stepId);
    return { ...this.ofRun, stepId, visit, path: path ?? `${stepId}#${visit}` };
  }

  ofAttempt(stepId: string) {
    return { ...this.ofVisit(stepId), attempt: this.step(stepId).attempt };
  }

  /** `reporter`: who reported it; without one, it is the interpreter's own conclusion. */
  append(event: ContextEvent, reporter?: Author): void {
    this.events.push(reporter ? event : { ...event, ...conclusion });
    if (!reporter) this.bytes += envelopeBytes + utf8Length(JSON.stringify(event.data));
    const version = this.given.version + this.events.length;
    const recorded: RecordedContextEvent = {
      ...event,
      ...this.#facts(reporter ?? { principal: executor }),
      version,
    };
    const source = sourceOf(recorded);
    const made = { event: recorded, source };
    for (const change of foldEvent(recorded, this.lookup)) {
      const name = `${change.kind} ${change.key}`;
      const before = this.lookup(change.kind, change.key);
      this.#items.set(name, 'removed' in change ? undefined : changedItem(before, change, made));
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

  /** The body of an item, for the values that expressions read. */
  bodyOf(kind: Item['kind'], key: string): JsonValue | undefined {
    return this.lookup(kind, key)?.body;
  }
}

const conclusion = { principal: executor, origin: null, trust: 'tool' } as const;

/** Whether a time is not later than now. */
export function isPast({ given }: RunDraft, time: string | null): boolean {
  return time !== null && Date.parse(time) <= given.now;
}

export function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
