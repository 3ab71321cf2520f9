import { readContract } from '#agent-contracts';
import { type TemplateData } from '#context-views';
import { type JsonObject } from '#event-sourcing';
import { type Item, stepOutputKey } from '#shared-context';
import { PathIndex } from '#transformations';

import { InvalidInputError } from '../errors.js';
import { PlaceReader } from '../transformations/place-reader.js';
import { checkInputs, requestedInputs } from './required-inputs.js';

const contract = readContract('coder', {
  name: 'A',
  role: 'r',
  kind: 'llm',
  contract: {
    inputs: {
      plan: { path: 'context.plan' },
      tone: { path: 'global_context.tone', required: false },
    },
  },
});
const plan: Item = {
  ...stepOutputKey('plan'),
  fromVersion: 1,
  state: {},
  body: { output: 'planned' },
};

function dataOf(values: JsonObject, items: readonly Item[] = []) {
  const data: TemplateData = new Map(
    Object.entries(values).map(([name, value]) => [name, { value, isOwn: true }]),
  );
  const current = (kind: Item['kind'], key: string) =>
    items.find((each) => each.kind === kind && each.key === key);
  return { data, places: new PlaceReader(new PathIndex()), current };
}

function refused(work: () => unknown) {
  try {
    work();
  } catch (error) {
    if (error instanceof InvalidInputError) return error.issues;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('required inputs', () => {
  it('list each path once, as required if the contract or the request requires it', () => {
    const inputs = requestedInputs(contract, ['input.a', 'global_context.tone', 'input["a"]']);
    expect(inputs.map(({ path, required }) => [path, required])).toEqual([
      ['input.a', true],
      ['global_context.tone', true],
      ['context.plan', true],
    ]);
  });

  it('are read as the contract defines, even if the request names the same path', () => {
    const inputs = requestedInputs(contract, ['context.plan']);
    const forged = dataOf({ context: { plan: 'of another' } });
    expect(refused(() => checkInputs(inputs, forged))).toMatchObject([
      { pointer: '/context/plan', detail: expect.stringContaining('agent "coder" requires it') },
    ]);
  });

  it('are on the checklist together with optional inputs', () => {
    const inputs = requestedInputs(contract, ['input.a']);
    expect(checkInputs(inputs, dataOf({ input: { a: false } }, [plan]))).toEqual([
      { path: 'input.a', present: true, required: true },
      { path: 'context.plan', present: true, required: true },
      { path: 'global_context.tone', present: false, required: false },
    ]);
  });

  it('are all reported if missing, with a way to supply each', () => {
    const paths = ['input.a/b~c', 'document.title', 'builder.inputs.x', 'project_metadata.size'];
    const issues = refused(() =>
      checkInputs(
        requestedInputs(contract, [...paths, 'input.none']),
        dataOf({ input: { none: null } }),
      ),
    );
    expect(issues.map(({ pointer }) => pointer)).toEqual([
      '/input/a~1b~0c',
      '/document/title',
      '/builder/inputs/x',
      '/project_metadata/size',
      '/input/none',
      '/context/plan',
    ]);
    expect(issues[4]?.detail).toBe('is null, but requiredInputs names it: send it within "input"');
    expect(issues[5]?.detail).toBe(
      'is missing, but agent "coder" requires it: step "plan" must add an output that contains it',
    );
  });

  it('are refused by their index if they are not valid paths', () => {
    expect(
      refused(() => requestedInputs(undefined, ['a', 'b['])).map(({ pointer }) => pointer),
    ).toEqual(['/requiredInputs/1']);
  });
});
