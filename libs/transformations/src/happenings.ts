import { type ContextPlace, providedKey } from '#shared-context';

import { type TransformationDefinition } from './transformation.schema.js';

/** Something that may call for values to be derived. */
export type Happening =
  | Readonly<{ kind: 'output'; stepId: string; agentId: string; name: string | undefined }>
  | Readonly<{ kind: 'completion'; agentId: string }>
  | Readonly<{ kind: 'global'; members: readonly string[] }>
  /** A missing value was provided for a place. */
  | Readonly<{ kind: 'provided'; place: ContextPlace }>
  | Readonly<{ kind: 'derived'; transformationId: string }>
  /** An administrator requested the value of a transformation for existing data. */
  | Readonly<{ kind: 'requested'; transformationId: string }>;

/** By name: whether those who see only the record may see that it happened. */
type OnRecord = Map<string, boolean>;

/** What happened in a write, so that finding what concerns a transformation does not take longer in a larger write. */
export class Happenings {
  readonly #steps: OnRecord = new Map();
  readonly #agents: OnRecord = new Map();
  readonly #globals: OnRecord = new Map();
  readonly #provided: OnRecord = new Map();
  readonly #derived: OnRecord = new Map();
  readonly #requested: OnRecord = new Map();
  readonly #outputs = new Map<string, OnRecord>();

  constructor(happenings: Iterable<readonly [Happening, onRecord: boolean]> = []) {
    for (const [happening, onRecord] of happenings) this.add(happening, onRecord);
  }

  add(happening: Happening, onRecord: boolean): void {
    switch (happening.kind) {
      case 'output':
        note(this.#steps, happening.stepId, onRecord);
        note(this.#agents, happening.agentId, onRecord);
        return this.#addNamed(happening, onRecord);
      case 'completion':
        return note(this.#agents, happening.agentId, onRecord);
      case 'global':
        return happening.members.forEach((member) => note(this.#globals, member, onRecord));
      case 'provided':
        return note(this.#provided, providedKey(happening.place).key, onRecord);
      case 'derived':
        return note(this.#derived, happening.transformationId, onRecord);
      case 'requested':
        return note(this.#requested, happening.transformationId, onRecord);
    }
  }

  /** Whether a trigger is on record; undefined if it has not happened. */
  ofTrigger({ step, agent, transformation }: TransformationDefinition['trigger']) {
    return strongest([
      step === undefined ? undefined : this.#steps.get(step),
      agent === undefined ? undefined : this.#agents.get(agent),
      transformation === undefined ? undefined : this.#derived.get(transformation),
    ]);
  }

  /** Whether the value of a place was stated or provided, and whether that is on record; undefined if neither. */
  ofPlace(place: ContextPlace): boolean | undefined {
    return strongest([this.#ofStated(place), this.#provided.get(providedKey(place).key)]);
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

  /** The same of what another transformation has derived. */
  ofDerived(transformationId: string): boolean | undefined {
    return this.#derived.get(transformationId);
  }

  /** Whether the value of a transformation was requested, and whether that is on record; undefined if it was not. */
  ofRequest(transformationId: string): boolean | undefined {
    return this.#requested.get(transformationId);
  }

  #addNamed({ agentId, name }: Extract<Happening, { kind: 'output' }>, onRecord: boolean): void {
    if (name === undefined) return;
    const named = this.#outputs.get(agentId) ?? new Map<string, boolean>();
    this.#outputs.set(agentId, named);
    note(named, name, onRecord);
  }
}

/** True if any is on record, false if any happened, undefined if none did. */
export function strongest(onRecord: readonly (boolean | undefined)[]): boolean | undefined {
  const happened = onRecord.filter((each) => each !== undefined);
  return happened.length === 0 ? undefined : happened.includes(true);
}

function note(known: OnRecord, name: string, onRecord: boolean): void {
  known.set(name, onRecord || known.get(name) === true);
}
