import { agentDefinition } from '#agent-contracts';
import { transformationDefinition } from '#transformations';

import { parseInput } from '../http/parse-input.js';
import { ProblemError } from '../problems/problem.error.js';
import { findProblem, toProblem } from '../problems/to-problem.js';

const agent = { name: 'Ada', role: 'writes', kind: 'llm' };
const transformation = {
  trigger: { agent: 'analyst' },
  sources: { a: 'context.a' },
  operation: { kind: 'score', expression: 'a' },
  destinations: ['project_metadata.a'],
};

function refusalsOf(
  schema: typeof agentDefinition | typeof transformationDefinition,
  body: object,
) {
  try {
    parseInput(schema, body);
  } catch (error) {
    if (error instanceof ProblemError) return toProblem(findProblem(error), '/').errors;
    throw error;
  }
  return [];
}

const outputs = (schema: object) => ({ ...agent, contract: { outputs: { guide: { schema } } } });

describe('validation of an agent definition', () => {
  it.each<[object, string, string]>([
    [{ contract: { inputs: [] } }, '/contract/inputs', 'must be an object'],
    [
      { contract: { inputs: { 'a b': { path: 'context.a' } } } },
      '/contract/inputs/a b',
      'must begin with a letter and be 1 to 64 letters, digits, "_" and "-"',
    ],
    [
      outputs({ type: 'text' }),
      '/contract/outputs/guide/schema/type',
      'must be one of object, array, string, number, integer, boolean, null, or a list of some of them',
    ],
    [outputs([]), '/contract/outputs/guide/schema', 'must be an object'],
  ])(
    'reports each fault with its pointer and a message of the API: %j',
    (input, pointer, detail) => {
      expect(refusalsOf(agentDefinition, { ...agent, ...input })).toEqual([{ pointer, detail }]);
    },
  );

  it.each([
    ['min_length', 'is not a keyword of schemas: write "minLength"', { suggestion: 'minLength' }],
    ['banana', expect.stringContaining('is not a keyword of schemas: leave it out'), {}],
    ['nullable', expect.stringContaining('is not checked here: add "null" to type'), {}],
  ])(
    'reports the unknown schema keyword %s and suggests a known one if one is similar',
    (keyword, detail, suggested) => {
      const input = outputs({ properties: { a: { [keyword]: 1 } } });
      const pointer = `/contract/outputs/guide/schema/properties/a/${keyword}`;
      expect(refusalsOf(agentDefinition, input)).toEqual([{ pointer, detail, ...suggested }]);
    },
  );
});

describe('validation of a transformation', () => {
  it.each<[object, string, string]>([
    [{ sources: undefined }, '/sources', 'is required: paths by the names that expressions use'],
    [{ sources: [] }, '/sources', 'must be an object: paths by the names that expressions use'],
    [
      { sources: { 'a-b': 'context.a' } },
      '/sources/a-b',
      'must be a name that expressions can use: letters, digits and _',
    ],
    [
      { sources: { item: 'context.a' } },
      '/sources/item',
      'is reserved in expressions: use another name',
    ],
  ])(
    'reports each fault with its pointer and a message of the API: %j',
    (input, pointer, detail) => {
      expect(refusalsOf(transformationDefinition, { ...transformation, ...input })).toEqual([
        { pointer, detail },
      ]);
    },
  );
});
