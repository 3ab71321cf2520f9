import { apiEndpoints } from '../api.module.js';
import { ProblemError } from '../problems/problem.error.js';
import { readWorkspace, readWriteHeaders } from './headers.js';
import { parseInput } from './parse-input.js';
import { pathParams } from './path-params.js';
import { requestIdOf } from './request-log.hook.js';

const chars = (count: number) => 'a'.repeat(count);
const entries = (count: number) => Array.from({ length: count }, () => 'a');
const names = (count: number) => entries(count).join();
const pattern = (count: number) => `{"title":"${chars(count - 12)}"}`;
const started = (count: number) =>
  Array.from({ length: count }, () => ({ type: 'StepStarted', data: { stepId: 's' } }));
const signalLines = (count: number) =>
  entries(count)
    .map((_, at) => `IMPLEMENTATION COMPLETE: story-${at}`)
    .join('\n');
const shows = (count: number) => Array.from({ length: count }, () => ({ types: ['a'] }));
const oneShow = (count: number) => [{ types: entries(count) }];

type Row = readonly [
  member: string,
  endpoint: string,
  limit: number,
  value: (count: number) => unknown,
  others?: object,
];

const queries: readonly Row[] = [
  ['limit', 'listEvents', 500, String],
  ['wait', 'listEvents', 60, String],
  ['wait', 'readFeed', 60, String, { after: 'start' }],
  ['wait', 'getStepOutput', 60, String],
  ['q', 'listContexts', 500, chars],
  ['contains', 'listContexts', 8_000, pattern],
  ['require', 'checkContext', 100, names],
  ['maxTokens', 'getView', 10_000_000, String],
  ['wholeOutputs', 'getView', 100, String],
  ['since', 'getView', 2_147_483_647, String],
  ['audience', 'getView', 64, chars],
];

const bodies: readonly Row[] = [
  ['events', 'appendEvents', 500, started],
  ['text', 'emitSignals', 500, signalLines],
  ['requiredInputs', 'renderPrompt', 64, entries, { template: '' }],
  ['maxTokens', 'renderPrompt', 10_000_000, Number, { template: '' }],
  ['audiences', 'createKey', 1_000, entries, { role: 'agent' }],
  ['actsFor', 'createKey', 1_000, entries, { role: 'agent' }],
  ['contexts', 'createKey', 1_000, entries, { role: 'agent' }],
  ['workflows', 'createKey', 1_000, entries, { role: 'agent' }],
  ['rate', 'rebuildProjection', 1_000_000, Number],
  ['show', 'setPolicy', 100, shows],
  ['show/0/types', 'setPolicy', 500, oneShow],
  ['hide', 'setPolicy', 100, shows, { show: shows(1) }],
  ['maxIterations', 'patchSettings', 1_000, Number],
  ['tokenThreshold', 'patchSettings', 1_000_000_000, Number],
  ['viewMaxTokens', 'patchSettings', 10_000_000, Number],
  ['viewWholeOutputs', 'patchSettings', 100, Number],
  ['maxRunningAttempts', 'patchSettings', 1_000_000, Number],
];

const paths: readonly (readonly [keyof typeof pathParams, number])[] = [
  ['contextId', 128],
  ['stepId', 256],
  ['agentId', 256],
  ['audience', 64],
  ['ref', 4_096],
];

function nameParts([member, endpoint, limit, value, others]: Row) {
  return { member, endpoint, limit, value, others };
}

function endpointNamed(requested: string) {
  const found = apiEndpoints.find(({ name }) => name === requested);
  if (!found) throw new Error(`there is no endpoint ${requested}`);
  return found;
}

/** The pointers of the faults of a parsed value. */
function faults(read: () => unknown): readonly string[] {
  try {
    read();
    return [];
  } catch (error) {
    if (error instanceof ProblemError) return error.faults.map(({ pointer }) => pointer);
    throw error;
  }
}

function bodyWith(member: string, value: unknown, others: object = {}): object {
  const [name = ''] = member.split('/');
  return { ...others, [name]: value };
}

describe('the limits of input', () => {
  it.each(queries.map(nameParts))('query $member of $endpoint takes $limit and no more', (row) => {
    const { member, endpoint, limit, value, others } = row;
    const { query } = endpointNamed(endpoint);
    if (!query) throw new Error(`${endpoint} takes no query`);
    const read = (count: number) => () => parseInput(query, bodyWith(member, value(count), others));
    expect(faults(read(limit))).toEqual([]);
    expect(faults(read(limit + 1))).toEqual([`/${member}`]);
  });

  it.each(bodies.map(nameParts))('body $member of $endpoint takes $limit and no more', (row) => {
    const { member, endpoint, limit, value, others } = row;
    const { body } = endpointNamed(endpoint);
    const read = (count: number) => () => body?.read(bodyWith(member, value(count), others), {});
    expect(faults(read(limit))).toEqual([]);
    expect(faults(read(limit + 1))).toEqual([`/${member}`]);
  });

  it.each(paths)('path %s takes %i characters and no more', (name, limit) => {
    const read = (count: number) => () => parseInput(pathParams[name], chars(count), [name]);
    expect(faults(read(limit))).toEqual([]);
    expect(faults(read(limit + 1))).toEqual([`/${name}`]);
  });

  it.each([
    ['idempotency-key', 255],
    ['correlation-id', 255],
    ['causation-id', 255],
    ['based-on', 4_096],
  ])('header %s takes %i characters and no more', (name, limit) => {
    expect(() => readWriteHeaders({ [name]: chars(limit) })).not.toThrow();
    expect(() => readWriteHeaders({ [name]: chars(limit + 1) })).toThrow(ProblemError);
  });

  it('header workspace takes 128 characters and no more', () => {
    expect(readWorkspace({ workspace: chars(128) })).toBe(chars(128));
    expect(() => readWorkspace({ workspace: chars(129) })).toThrow(ProblemError);
  });

  it('header x-request-id is used up to 128 characters, and replaced if it is longer', () => {
    expect(requestIdOf({ headers: { 'x-request-id': chars(128) } })).toBe(chars(128));
    expect(requestIdOf({ headers: { 'x-request-id': chars(129) } })).not.toContain('a'.repeat(9));
  });
});
