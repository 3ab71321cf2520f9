import {
  type Contract,
  type ContractInput,
  type InputValue,
  type OutputPlace,
  type Score,
  outputAt,
  overallScore,
} from '#agent-contracts';
import { type JsonValue } from '#event-sourcing';
import { type Spend, valueAtPath } from '#expressions';
import {
  type ItemKey,
  type ItemLookup,
  areCurrent,
  namedOutputKey,
  scoresKey,
  scoresOf,
} from '#shared-context';
import { type PlacedPath } from '#transformations';

import { type PlaceReader, type PlaceValue } from '../transformations/place-reader.js';

/**
 * The path to the score in an output itself. It is used only if no recorded score applies to the newest version of the
 * output.
 */
const ownScore = ['quality_metrics', overallScore];

/**
 * Reads the inputs of the contract of one agent from the items of a context at one version. Several inputs may name the same
 * path; each path is read once.
 */
export class ContractReading {
  readonly #contracts: ReadonlyMap<string, Contract>;
  readonly #read = new Map<string, PlaceValue>();

  /** `contracts`: the contracts of all agents, with the schemas that they promise for their outputs. */
  constructor(
    private readonly contract: Pick<Contract, 'inputs'>,
    contracts: readonly Contract[],
    private readonly places: PlaceReader,
    /** Called before each read with its cost; may throw. */
    private readonly spend?: Spend,
  ) {
    this.#contracts = new Map(contracts.map((one) => [one.agentId, one]));
  }

  /** The keys of all items that {@link inputValue} reads. */
  keys(): readonly ItemKey[] {
    return this.contract.inputs.flatMap(({ path }) => {
      const output = outputAt(path);
      return [...this.places.keys(path), ...(output ? this.#keysOf(output) : [])];
    });
  }

  inputValue({ path }: ContractInput, current: ItemLookup): InputValue {
    const { value } = this.#valueAt(path, current);
    const place = outputAt(path);
    if (!place) return { value };
    const { value: output } = this.#valueAt(fullOutput(place), current);
    return {
      value,
      score: scoreOf(place, output, current),
      promise: this.#promiseOf(place, output),
    };
  }

  /** Whether all values are visible to readers who see only events of visibility `record`. */
  isOnRecord(current: ItemLookup): boolean {
    return this.contract.inputs.every(({ path }) => {
      const output = outputAt(path);
      const read = [path, ...(output ? [fullOutput(output)] : [])];
      const scored = output && current('scores', scoresKey(output.agentId, output.output).key);
      return (
        read.every((place) => this.#valueAt(place, current).visibility === 'record') &&
        (!scored || scored.sources?.at(-1)?.visibility === 'record')
      );
    });
  }

  #valueAt(path: PlacedPath, current: ItemLookup): PlaceValue {
    const name = JSON.stringify(path.names);
    const value = this.#read.get(name) ?? this.places.read(path, current, this.spend);
    this.#read.set(name, value);
    return value;
  }

  #keysOf(output: OutputPlace): readonly ItemKey[] {
    const { agentId, output: name } = output;
    return [
      namedOutputKey(agentId, name),
      scoresKey(agentId, name),
      ...this.places.keys(fullOutput(output)),
    ];
  }

  #promiseOf({ agentId, output: name }: OutputPlace, output: JsonValue | undefined) {
    const schema = this.#contracts.get(agentId)?.outputs.get(name)?.schema;
    return schema && output !== undefined ? { schema, output } : undefined;
  }
}

function scoreOf(
  { agentId, output: name }: OutputPlace,
  output: JsonValue | undefined,
  current: ItemLookup,
): Score | undefined {
  const scored = current('scores', scoresKey(agentId, name).key);
  const value = scored && scoresOf(scored).scores[overallScore];
  const isCurrent =
    !!scored && areCurrent(scored, current('output', namedOutputKey(agentId, name).key));
  if (value !== undefined && isCurrent) return { value, isCurrent };
  const own = valueAtPath(output, ownScore);
  if (typeof own === 'number') return { value: own, isCurrent: true };
  return value === undefined ? undefined : { value, isCurrent };
}

function fullOutput({ agentId, output: name }: OutputPlace): PlacedPath {
  const names = [agentId, 'outputs', name];
  return { path: '', names, place: { kind: 'output', agentId, name, rest: [] } };
}
