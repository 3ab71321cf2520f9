import { type ContextPlace, providedKey } from '#shared-context';

import { type TransformationDefinition } from './transformation.schema.js';

/** An event or request that may cause values to be derived. */
export type DerivationCause =
  | Readonly<{ kind: 'output'; stepId: string; agentId: string; name: string | undefined }>
  | Readonly<{ kind: 'completion'; agentId: string }>
  | Readonly<{ kind: 'global'; members: readonly string[] }>
  /** A value was provided for a place. */
  | Readonly<{ kind: 'provided'; place: ContextPlace }>
  | Readonly<{ kind: 'derived'; transformationId: string }>
  /** An administrator requested the value of a transformation for existing data. */
  | Readonly<{ kind: 'requested'; transformationId: string }>;

/** By name, whether a cause is on record, and so visible to readers without access to working notes. */
type OnRecord = Map<string, boolean>;

/** The causes in a write, indexed so that looking up the causes of a transformation takes constant time. */
export class DerivationCauses {
  readonly #steps: OnRecord = new Map();
  readonly #agents: OnRecord = new Map();
  readonly #globals: OnRecord = new Map();
  readonly #provided: OnRecord = new Map();
  readonly #derived: OnRecord = new Map();
  readonly #requested: OnRecord = new Map();
  readonly #outputs = new Map<string, OnRecord>();

  constructor(causes: Iterable<readonly [DerivationCause, onRecord: boolean]> = []) {
    for (const [cause, onRecord] of causes) this.add(cause, onRecord);
  }

  add(cause: DerivationCause, onRecord: boolean): void {
    switch (cause.kind) {
      case 'output':
        recordCause(this.#steps, cause.stepId, onRecord);
        recordCause(this.#agents, cause.agentId, onRecord);
        return this.#addNamed(cause, onRecord);
      case 'completion':
        return recordCause(this.#agents, cause.agentId, onRecord);
      case 'global':
        return cause.members.forEach((member) => recordCause(this.#globals, member, onRecord));
      case 'provided':
        return recordCause(this.#provided, providedKey(cause.place).key, onRecord);
      case 'derived':
        return recordCause(this.#derived, cause.transformationId, onRecord);
      case 'requested':
        return recordCause(this.#requested, cause.transformationId, onRecord);
    }
  }

  /** Whether a trigger is on record; undefined if it is not among the causes. */
  ofTrigger({ step, agent, transformation }: TransformationDefinition['trigger']) {
    return combineVisibility([
      step === undefined ? undefined : this.#steps.get(step),
      agent === undefined ? undefined : this.#agents.get(agent),
      transformation === undefined ? undefined : this.#derived.get(transformation),
    ]);
  }

  /** Whether a statement or provision of the value of a place is on record; undefined if there is neither. */
  ofPlace(place: ContextPlace): boolean | undefined {
    return combineVisibility([this.#ofStated(place), this.#provided.get(providedKey(place).key)]);
  }

  #ofStated(place: ContextPlace): boolean | undefined {
    switch (place.kind) {
      case 'output':
        return this.#outputs.get(place.agentId)?.get(place.name);
      case 'step':
        return this.#steps.get(place.stepId);
      case 'global':
        return this.#globals.get(place.member);
      case 'input':
      case 'metadata':
        return undefined;
    }
  }

  /** Whether a value that a transformation derived is on record; undefined if it derived none. */
  ofDerived(transformationId: string): boolean | undefined {
    return this.#derived.get(transformationId);
  }

  /** Whether a request for the value of a transformation is on record; undefined if there is none. */
  ofRequest(transformationId: string): boolean | undefined {
    return this.#requested.get(transformationId);
  }

  #addNamed(
    { agentId, name }: Extract<DerivationCause, { kind: 'output' }>,
    onRecord: boolean,
  ): void {
    if (name === undefined) return;
    const named = this.#outputs.get(agentId) ?? new Map<string, boolean>();
    this.#outputs.set(agentId, named);
    recordCause(named, name, onRecord);
  }
}

/** True if any cause is on record, false if there are others, undefined if there are none. */
export function combineVisibility(onRecord: readonly (boolean | undefined)[]): boolean | undefined {
  const present = onRecord.filter((each) => each !== undefined);
  return present.length === 0 ? undefined : present.includes(true);
}

function recordCause(known: OnRecord, name: string, onRecord: boolean): void {
  known.set(name, onRecord || known.get(name) === true);
}
