import { type Contract } from '#agent-contracts';
import { type TemplateData, valueIn } from '#context-views';
import { type JsonValue, formatDataPath } from '#event-sourcing';
import { ExpressionError, parseDataPath } from '#expressions';
import { type ItemLookup } from '#shared-context';
import { type PlacedPath, placedPath } from '#transformations';

import { InvalidInputError } from '../errors.js';
import { type PlaceReader } from '../transformations/place-reader.js';
import { type CheckedInput } from './prompt.messages.js';

/** An input with its path. `by`: the agent whose contract names it; undefined if the request names it. */
type RequestedInput = Readonly<{
  path: string;
  names: readonly string[];
  required: boolean;
  place: PlacedPath | undefined;
  by: string | undefined;
}>;

/** How a client supplies the value of a path, for each kind of place. */
const waysTo: Readonly<Record<PlacedPath['place']['kind'], (path: PlacedPath) => string>> = {
  output: ({ names: [agent, , name] }) =>
    `agent "${agent}" must add a step output named "${name}" that contains it`,
  step: ({ names: [, step] }) => `step "${step}" must add an output that contains it`,
  global: ({ names: [, member] }) => `set "${member}" in the global context`,
  metadata: () => 'state it as metadata when the context is created, or derive it',
  input: () => 'a transformation derives it as soon as its sources exist',
};

type InputData = Readonly<{
  data: TemplateData;
  places: PlaceReader;
  current: ItemLookup;
  /** Whether missing required inputs are listed instead of refused. */
  mayLack?: boolean;
}>;

/** The inputs that a contract and a request name, each path once. Throws {@link InvalidInputError}. */
export function requestedInputs(
  contract: Contract | undefined,
  paths: readonly string[],
): readonly RequestedInput[] {
  const ofContract = (contract?.inputs ?? []).map(({ path: place, rules }): RequestedInput => ({
    path: place.path,
    names: place.names,
    required: rules.required !== false,
    place,
    by: contract?.agentId,
  }));
  const all = [...paths.map(ofRequest), ...ofContract];
  const byPath = Map.groupBy(all, ({ path }) => path);
  return [...byPath.values()].flatMap(([first, ...others]) =>
    first ? [others.reduce(merged, first)] : [],
  );
}

/**
 * Merges two entries for the same path. Entries of contracts take precedence, because they have a place; either can
 * require the input.
 */
function merged(one: RequestedInput, other: RequestedInput): RequestedInput {
  const first = one.by === undefined ? other : one;
  return { ...first, required: one.required || other.required };
}

/**
 * Checks whether each input is present. Throws {@link InvalidInputError} with all missing required ones, unless
 * `mayLack` is set.
 */
export function checkInputs(
  inputs: readonly RequestedInput[],
  data: InputData,
): readonly CheckedInput[] {
  const checklist = inputs.map((one) => ({ one, value: valueOf(one, data) }));
  const missing = checklist.filter(({ one, value }) => one.required && isNothing(value));
  if (missing.length > 0 && !data.mayLack)
    throw new InvalidInputError(
      missing.map(({ one, value }) => ({
        pointer: one.names.map(segment).join(''),
        detail: `${value === null ? 'is null' : 'is missing'}, but ${requirementOf(one)}: ${toDo(one)}`,
      })),
    );
  return checklist.map(({ one: { path, required }, value }) => ({
    path,
    present: !isNothing(value),
    required,
  }));
}

function ofRequest(source: string, at: number): RequestedInput {
  try {
    const names = parseDataPath(source);
    const path = formatDataPath(names);
    return { path, names, required: true, place: placeOf(source), by: undefined };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const detail = `${error.reason}, at character ${error.position + 1}`;
    throw new InvalidInputError([{ pointer: `/requiredInputs/${at}`, detail }]);
  }
}

/** A path of a contract is read as in checks of inputs, and a path of a request from the data of the template. */
function valueOf({ names, place, by }: RequestedInput, { data, places, current }: InputData) {
  return place && by !== undefined ? places.read(place, current).value : valueIn(data, names);
}

function isNothing(value: JsonValue | undefined): boolean {
  return value === undefined || value === null;
}

function placeOf(path: string): PlacedPath | undefined {
  try {
    return placedPath(path);
  } catch (error) {
    if (error instanceof ExpressionError) return undefined;
    throw error;
  }
}

function requirementOf({ by }: RequestedInput): string {
  return by === undefined ? 'requiredInputs names it' : `agent "${by}" requires it`;
}

function toDo({ names, place, by }: RequestedInput): string {
  if (by === undefined && names[0] === 'input') return 'send it within "input"';
  if (!place) return 'the context does not contain it, or hides it from this audience';
  return waysTo[place.place.kind](place);
}

function segment(name: string): string {
  return `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
