import { readContract } from '#agent-contracts';
import { type Item, derivedKey } from '#shared-context';
import { countedObject } from '#testing';
import { PathIndex, placedPath } from '#transformations';

import { PlaceReader } from '../transformations/place-reader.js';
import { ContractReading } from './contract-reading.js';

/** Counts the reads of members of an object into which a derived value is placed, by a contract with that many inputs. */
function membersRead(inputs: number) {
  const { plain: stated, counted, reads } = countedObject();
  const facts = { fromVersion: 1, state: { visibility: 'record' } };
  const derived = { ...placedPath('global_context.large.score'), transformationId: 't' };
  const items: readonly Item[] = [
    { ...facts, kind: 'global', key: 'large', body: counted },
    {
      ...facts,
      ...derivedKey(derived.path),
      body: { path: derived.path, value: 7, from: [], transformation: 't' },
    },
  ];
  const paths = Array.from({ length: inputs }, (_, at) => [
    `input${at}`,
    { path: 'global_context.large' },
  ]);
  const contract = readContract('a', {
    name: 'A',
    role: 'r',
    kind: 'llm',
    contract: { inputs: Object.fromEntries(paths) },
  });
  const places = new PlaceReader(new PathIndex([[derived.names, derived]]));
  const reading = new ContractReading(contract, [], places);
  const current = (kind: string, key: string) =>
    items.find((item) => item.kind === kind && item.key === key);
  const values = contract.inputs.map((input) => reading.inputValue(input, current).value);
  expect(values.at(-1)).toEqual({ ...stated, score: 7 });
  expect(reading.isOnRecord(current)).toBe(true);
  return reads();
}

describe('reading the inputs of a contract', () => {
  it('copies an object with derived values once for all inputs that name it', () => {
    expect([membersRead(1), membersRead(64)]).toEqual([100, 100]);
  });
});
