import { contractLimits } from './limits.js';
import {
  type AgentDefinition,
  ContractError,
  agentDefinition,
  readContract,
  thresholdsFor,
} from './index.js';

const agent: AgentDefinition = { name: 'Mary', role: 'analyst', kind: 'llm' };
const withInput = (input: object) => ({ ...agent, contract: { inputs: { brief: input } } });

function faults(definition: unknown): string[] {
  const parsed = agentDefinition.safeParse(definition);
  if (!parsed.success) return parsed.error.issues.map(({ path }) => `/${path.join('/')}`);
  try {
    readContract('pm', parsed.data);
    return [];
  } catch (error) {
    if (error instanceof ContractError)
      return error.issues.map((issue) => `${issue.pointer}: ${issue.detail}`);
    throw error;
  }
}

/** Schemas nested to the given depth. */
function nested(depth: number): object {
  return depth === 1 ? {} : { items: nested(depth - 1) };
}

describe('the definition of an agent', () => {
  it('needs a name, a role and a kind, and no contract', () => {
    expect(faults(agent)).toEqual([]);
    expect(faults({ ...agent, contract: {} })).toEqual([]);
    expect(faults({ name: 'Mary' })).toEqual(['/role', '/kind']);
    expect(faults({ ...agent, kind: 'robot' })).toEqual(['/kind']);
  });

  it.each([
    [{ path: '' }, '/contract/inputs/brief/path'],
    [{}, '/contract/inputs/brief/path'],
    [
      { path: 'a.b' },
      '/contract/inputs/brief/path: must begin with global_context, project_metadata, context, or an agent and its outputs or inputs, as in analyst.outputs.brief, at character 1',
    ],
    [
      { path: 'global_context' },
      '/contract/inputs/brief/path: must be longer: add the name of one member, as in global_context.budget or analyst.outputs.brief, at character 15',
    ],
    [
      { path: 'global_context.x', qualityThreshold: 6 },
      '/contract/inputs/brief/qualityThreshold: only outputs are scored: the path must lead to one, or into it',
    ],
    [
      { path: 'analyst.completed' },
      '/contract/inputs/brief/path: must begin with global_context, project_metadata, context, or an agent and its outputs or inputs, as in analyst.outputs.brief, at character 1',
    ],
    [{ path: 'context.s', pattern: 'x' }, '/contract/inputs/brief'],
    [{ path: 'context.s', minLength: -1 }, '/contract/inputs/brief/minLength'],
    [{ path: 'context.s', requiredSections: [] }, '/contract/inputs/brief/requiredSections'],
    [{ path: 'context.s', schema: { type: 'text' } }, '/contract/inputs/brief/schema/type'],
    [{ path: 'context.s', schema: { $ref: '#' } }, '/contract/inputs/brief/schema/$ref'],
    [{ path: 'context.s', schema: nested(17) }, '/contract/inputs/brief/schema'],
  ])('with the input %j is refused at %s', (input, fault) => {
    expect(faults(withInput(input))).toEqual([fault]);
  });

  it('accepts schemas up to the depth limit', () => {
    expect(faults(withInput({ path: 'context.s', schema: nested(16) }))).toEqual([]);
  });

  it('drops no name silently', () => {
    const inputs = JSON.parse('{"__proto__":{"path":"context.s"}}') as object;
    const outputs = JSON.parse('{"prd":{"schema":{"properties":{"__proto__":{}}}}}') as object;
    expect(faults({ ...agent, contract: { inputs } })).toEqual(['/contract/inputs']);
    expect(faults({ ...agent, contract: { outputs } })).toEqual([
      '/contract/outputs/prd/schema/properties',
    ]);
  });

  it('is refused with one issue for a schema that is too large or for too many inputs, regardless of their content', () => {
    const members = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`m${at}`, 0]));
    const bad = { path: 'context.s', schema: { properties: members } };
    expect(faults(withInput(bad))).toEqual(['/contract/inputs/brief/schema']);
    expect(faults({ ...agent, contract: { inputs: members } })).toEqual(['/contract/inputs']);
  });

  const named = (count: number, value: unknown) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`i${at}`, value]));
  const listed = (count: number) => Array.from({ length: count }, () => 'a');
  const output = (rules: object) => ({ ...agent, contract: { outputs: { prd: rules } } });
  const brief = '/contract/inputs/brief';

  it.each<[string, number, (count: number) => unknown, string]>([
    ['name', 256, (n) => ({ ...agent, name: 'x'.repeat(n) }), '/name'],
    ['role', 1_000, (n) => ({ ...agent, role: 'x'.repeat(n) }), '/role'],
    ['persona', 20_000, (n) => ({ ...agent, persona: 'x'.repeat(n) }), '/persona'],
    [
      'maxRunningAttempts',
      1_000_000,
      (n) => ({ ...agent, maxRunningAttempts: n }),
      '/maxRunningAttempts',
    ],
    ['template', 100_000, (n) => ({ ...agent, template: 'x'.repeat(n) }), '/template'],
    [
      'inputs',
      contractLimits.inputs,
      (n) => ({ ...agent, contract: { inputs: named(n, { path: 'context.s' }) } }),
      '/contract/inputs',
    ],
    [
      'outputs',
      contractLimits.outputs,
      (n) => ({ ...agent, contract: { outputs: named(n, {}) } }),
      '/contract/outputs',
    ],
    [
      'thresholds',
      contractLimits.thresholds,
      (n) => output({ qualityThresholds: named(n, 1) }),
      '/contract/outputs/prd/qualityThresholds',
    ],
    ['path', 256, (n) => withInput({ path: `context.${'s'.repeat(n - 8)}` }), `${brief}/path`],
    [
      'demands',
      contractLimits.demands,
      (n) => withInput({ path: 'context.s', mustContain: listed(n) }),
      `${brief}/mustContain`,
    ],
    [
      'schemas in a schema',
      contractLimits.schemaNodes,
      (n) => withInput({ path: 'context.s', schema: { properties: named(n - 1, {}) } }),
      `${brief}/schema`,
    ],
    [
      'schemas within one another',
      contractLimits.schemaDepth,
      (n) => withInput({ path: 'context.s', schema: nested(n) }),
      `${brief}/schema`,
    ],
  ])('accepts %s up to %i and refuses more', (_, limit, definition, pointer) => {
    expect(faults(definition(limit))).toEqual([]);
    expect(faults(definition(limit + 1))).toEqual([pointer]);
  });

  it('accepts JSON up to the limit of characters and refuses more', () => {
    const withConst = (text: string) => output({ schema: { const: text } });
    const room = contractLimits.definitionLength - JSON.stringify(withConst('')).length;
    expect(faults(withConst('x'.repeat(room)))).toEqual([]);
    expect(faults(withConst('x'.repeat(room + 1)))).toEqual(['/']);
  });
});

describe('the quality gates of an output', () => {
  const scored = (path: string, qualityThreshold: number) => ({ path, qualityThreshold });
  const contracts = [
    readContract('analyst', {
      ...agent,
      contract: { outputs: { brief: { qualityThresholds: { clarity: 5 } }, notes: {} } },
    }),
    readContract('pm', {
      ...agent,
      contract: {
        inputs: {
          whole: scored('analyst.outputs.brief', 6),
          part: scored('analyst.outputs.brief.structured_data.users', 7),
          other: scored('ux.outputs.brief', 8),
          unscored: { path: 'analyst.outputs.brief' },
        },
      },
    }),
  ];

  it('are the thresholds that its agent promises and that other agents require, the strictest of each', () => {
    expect(thresholdsFor('analyst', contracts)).toEqual([
      { output: 'brief', gate: 'clarity', minimum: 5 },
      { output: 'brief', gate: 'overall_score', minimum: 7, for: 'pm' },
    ]);
    expect(thresholdsFor('ux', contracts)).toEqual([
      { output: 'brief', gate: 'overall_score', minimum: 8, for: 'pm' },
    ]);
    expect(thresholdsFor('pm', contracts)).toEqual([]);
  });
});
