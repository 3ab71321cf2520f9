import { type JsonObject, type JsonValue, isJsonObject } from '#event-sourcing';

import { type DocumentPlace, type ReadingNote } from '../documents/document-format.js';

/** Names of rules in the YAML of a session, and in contracts. */
const rules: ReadonlyMap<string, string> = new Map([
  ['source', 'path'],
  ['path', 'path'],
  ['required', 'required'],
  ['min_length', 'minLength'],
  ['min_count', 'minCount'],
  ['must_contain', 'mustContain'],
  ['required_sections', 'requiredSections'],
  ['required_data', 'requiredSections'],
  ['quality_threshold', 'qualityThreshold'],
  ['format', 'format'],
]);
const maxInputs = 64;
const contractName = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

/** Returns where a rule of a document is. */
export type PlaceOf = (path: readonly string[]) => DocumentPlace;

/** The inputs of agents, collected from a session and its rules. */
export class AgentRules {
  readonly notes: ReadingNote[] = [];
  readonly #agents = new Map<string, { place: DocumentPlace; inputs: Map<string, JsonObject> }>();

  /** Adds the paths that a session lists as the inputs of an agent. */
  addPaths(
    agentId: string,
    paths: readonly string[],
    at: { required: boolean; place: DocumentPlace },
  ) {
    for (const path of paths) {
      const name = nameOfPath(path);
      if (name === undefined)
        this.#noteOmission(at.place, `"${path}" cannot be an input of a contract`);
      else this.#set(agentId, at.place, [name, inputAt(path, at.required)]);
    }
  }

  /** Adds the `validation_rules` of a YAML document. */
  addRules(validation: JsonValue | undefined, placeOf: PlaceOf): void {
    for (const [agentId, agent] of membersOf(validation)) {
      const place = placeOf(['validation_rules', agentId]);
      for (const [name, stated] of membersOf(isJsonObject(agent) ? agent['inputs'] : undefined))
        this.#addRule(agentId, { name, stated, place, placeOf });
    }
  }

  definitions() {
    return [...this.#agents].map(([agentId, { place, inputs }]) => ({
      agentId,
      place,
      definition: {
        name: agentId,
        role: agentId,
        kind: 'llm',
        contract: { inputs: Object.fromEntries(inputs) },
      },
    }));
  }

  /** A rule without a source is about the input of that name in the session. */
  #addRule(
    agentId: string,
    {
      name,
      stated,
      place,
      placeOf,
    }: Readonly<{ name: string; stated: JsonValue; place: DocumentPlace; placeOf: PlaceOf }>,
  ): void {
    const where = placeOf(['validation_rules', agentId, 'inputs', name]);
    const known = this.#agents.get(agentId)?.inputs.get(name);
    const input: Record<string, JsonValue> = { ...known };
    for (const [rule, value] of membersOf(stated)) {
      const term = rules.get(rule);
      if (term === undefined) this.#noteOmission(where, `contracts have no rule "${rule}"`);
      else input[term] = value;
    }
    if (typeof input['path'] !== 'string' || !contractName.test(name))
      return this.#noteOmission(where, `has no path: add source to "${name}"`);
    const inputs = this.#inputsOf(agentId, place);
    for (const [other, { path }] of inputs) if (path === input['path']) inputs.delete(other);
    this.#set(agentId, where, [name, input]);
  }

  #set(agentId: string, place: DocumentPlace, [name, input]: readonly [string, JsonObject]): void {
    const inputs = this.#inputsOf(agentId, place);
    if (inputs.size < maxInputs || inputs.has(name)) inputs.set(name, input);
    else this.#noteOmission(place, `a contract has at most ${maxInputs} inputs`);
  }

  #inputsOf(agentId: string, place: DocumentPlace): Map<string, JsonObject> {
    const agent = this.#agents.get(agentId) ?? { place, inputs: new Map<string, JsonObject>() };
    this.#agents.set(agentId, agent);
    return agent.inputs;
  }

  #noteOmission(place: DocumentPlace, detail: string): void {
    this.notes.push({ ...place, kind: 'left-out', detail });
  }
}

function membersOf(value: JsonValue | undefined): readonly (readonly [string, JsonValue])[] {
  return isJsonObject(value) ? Object.entries(value) : [];
}

function inputAt(path: string, required: boolean): JsonObject {
  return required ? { path } : { path, required: false };
}

/** `pm.outputs.prd` becomes `pm_prd`; `global_context.a.b` and paths into outputs become their last name. */
function nameOfPath(path: string): string | undefined {
  const names = path.split('.');
  const [agent = '', kind, output = ''] = names;
  const name = kind === 'outputs' && names.length === 3 ? `${agent}_${output}` : names.at(-1);
  return name !== undefined && contractName.test(name) && names.length > 1 ? name : undefined;
}
