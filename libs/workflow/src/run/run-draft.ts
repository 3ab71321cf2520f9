import { type JsonValue } from '#event-sourcing';
import {
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

/** Whose conclusions those of the interpreter are. */
export const executor = 'executor';

/** So many steps are carried out by the interpreter in one append; the rest is scheduled for at once. */
export const mostCarriedOut = 32;

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
  readonly #items = new Map<string, Item | undefined>();

  constructor(
    private readonly current: ItemLookup,
    readonly workflow: CompiledWorkflow,
    readonly given: Circumstances,
  ) {}

  readonly lookup: ItemLookup = (kind, key) => {
    const name = `${kind} ${key}`;
    return this.#items.has(name) ? this.#items.get(name) : this.current(kind, key);
  };

  /** The time as events state it. */
  get at(): string {
    return timeOf(this.given.now);
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

  /** `author`: who reported it; the interpreter's conclusions are its own. */
  append(event: ContextEvent, author: string = executor): void {
    const isOwn = author === executor;
    this.events.push(isOwn ? { ...event, ...conclusion } : event);
    const version = this.given.version + this.events.length;
    const recorded: RecordedContextEvent = { ...event, ...this.#facts(author), version };
    const source = sourceOf(recorded);
    const made = { event: recorded, source };
    for (const change of foldEvent(recorded, this.lookup)) {
      const name = `${change.kind} ${change.key}`;
      const before = this.lookup(change.kind, change.key);
      this.#items.set(name, 'removed' in change ? undefined : changedItem(before, change, made));
    }
  }

  #facts(author: string): Omit<RecordedFacts, 'version'> {
    return {
      ...{ eventId: '', bytes: 0, recordedAt: this.at, principal: author, origin: null },
      ...{ trust: 'agent', visibility: 'record', idempotency: null },
    };
  }

  /** The body of an item, for the values that expressions read. */
  bodyOf(kind: Item['kind'], key: string): JsonValue | undefined {
    return this.lookup(kind, key)?.body;
  }
}

const conclusion = { principal: executor, origin: null, trust: 'tool' } as const;

export function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
