import { type z } from 'zod';

import { type ClientEventType, clientPayloads } from './client-event.js';
import { globalContextSet } from './global/global.events.js';
import { contextCreated, contextToCreate } from './life/life.events.js';
import { longestSummary, maxSources, summaryAdded } from './summaries/summary.events.js';
import { contextId } from './payload.schema.js';

const chars = (count: number) => 'a'.repeat(count);
const entries = (count: number) => Array.from({ length: count }, () => 'a');
const numbers = (count: number) =>
  Object.fromEntries(entries(count).map((name, at) => [`${name}${at}`, at]));
const named = (count: number) => ({ [chars(count)]: 1 });
const identified = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ issueId: `i${at}`, text: 'a' }));

type Row = readonly [
  member: string,
  type: ClientEventType,
  limit: number,
  value: (count: number) => unknown,
  others: object,
];

const review = { artifact: 'a', status: 'APPROVED' };
const task = { title: 'a' };
const note = { to: 'a', note: 'a' };
const artifact = { artifactType: 'a' };
const dev = { kind: 'dev-record' };

/** Every limit of a client payload, except the limits of ids. */
const rows: readonly Row[] = [
  ['reason', 'ContextClosed', 10_000, chars, {}],
  ['reason', 'ContextReopened', 10_000, chars, {}],
  ['values', 'GlobalContextSet', 256, named, {}],
  ['values', 'PreferencesSet', 256, named, {}],
  ['values', 'GlobalContextSet', 10_000, numbers, {}],
  ['values', 'PreferencesSet', 10_000, numbers, {}],
  ['title', 'TaskPlanned', 1_000, chars, {}],
  ['dependsOn', 'TaskPlanned', 1_000, entries, task],
  ['acceptanceCriteria', 'TaskPlanned', 1_000, entries, task],
  ['reason', 'TaskBlocked', 10_000, chars, { taskId: 'a' }],
  ['outputs', 'PhaseCompleted', 1_000, entries, { phase: 'a' }],
  ['max', 'IterationStarted', 1_000, Number, { subject: 'a' }],
  ['reason', 'CircuitBreakerTripped', 10_000, chars, { subject: 'a' }],
  ['max', 'CircuitBreakerReset', 1_000, Number, { subject: 'a' }],
  ['reason', 'CircuitBreakerReset', 10_000, chars, { subject: 'a' }],
  ['reason', 'DecisionApproved', 10_000, chars, { decisionId: 'a' }],
  ['reason', 'DecisionRejected', 10_000, chars, { decisionId: 'a' }],
  ['path', 'ArtifactReferenced', 10_000, chars, artifact],
  ['uri', 'ArtifactReferenced', 10_000, chars, artifact],
  ['artifact', 'ReviewRecorded', 10_000, chars, review],
  ['reviewFile', 'ReviewRecorded', 10_000, chars, review],
  ['participants', 'ReviewRecorded', 100, entries, review],
  ['keyIssues', 'ReviewRecorded', 500, identified, review],
  ['addresses', 'ReviewRecorded', 500, entries, review],
  ['title', 'RecordAppended', 1_000, chars, { ...dev, body: 'a' }],
  ['participants', 'RecordAppended', 100, entries, { ...dev, body: 'a' }],
  ['scores', 'QualityScored', 32, numbers, { agent: 'a', output: 'a' }],
  ['scores', 'QualityScored', 64, named, { agent: 'a', output: 'a' }],
  ['relatedArtifacts', 'HandoverNoted', 500, entries, note],
  ['actionItems', 'HandoverNoted', 500, entries, note],
  ['path', 'InputRequested', 10_000, chars, { from: 'a' }],
];

function nameParts([member, type, limit, value, others]: Row) {
  return { member, type, limit, value, others };
}

function faults(schema: z.ZodType, value: unknown): string[] {
  const { error } = schema.safeParse(value);
  return error?.issues.map(({ path }) => `/${path.join('/')}`) ?? [];
}

describe('the limits of client payloads', () => {
  it.each(rows.map(nameParts))('$member of $type has at most $limit', (row) => {
    const { member, type, limit, value, others } = row;
    const schema = clientPayloads[type];
    const stated = { ...others, [member]: value(limit) };
    expect(faults(schema, stated)).toEqual([]);
    expect(faults(schema, { ...others, [member]: value(limit + 1) })).toEqual([`/${member}`]);
  });

  it('fields of records have at most 10000 lines', () => {
    const stated = (count: number) => ({ ...dev, fields: { summary: entries(count) } });
    expect(faults(clientPayloads.RecordAppended, stated(10_000))).toEqual([]);
    expect(faults(clientPayloads.RecordAppended, stated(10_001))).toEqual(['/fields/summary']);
  });

  it('titles of contexts have at most 1000 characters', () => {
    expect(faults(contextCreated.schema, { title: chars(1_000) })).toEqual([]);
    expect(faults(contextCreated.schema, { title: chars(1_001) })).toEqual(['/title']);
  });

  it.each(['preferences', 'globalContext'])(
    '%s of new contexts have at most 10000 members',
    (member) => {
      expect(faults(contextToCreate, { [member]: numbers(10_000) })).toEqual([]);
      expect(faults(contextToCreate, { [member]: numbers(10_001) })).toEqual([`/${member}`]);
    },
  );

  it('do not apply to stored events: one that sets more members stays readable', () => {
    expect(faults(contextCreated.schema, { preferences: numbers(10_001) })).toEqual([]);
    expect(faults(globalContextSet.schema, { values: numbers(10_001) })).toEqual([]);
  });

  it('ids of contexts have at most 128 characters', () => {
    expect(contextId.safeParse(chars(128)).success).toBe(true);
    expect(contextId.safeParse(chars(129)).success).toBe(false);
  });

  it('summaries have limited characters and sources', () => {
    const stated = (characters: number, sources: number) => ({
      summaryId: 'a',
      text: chars(characters),
      covers: { from: 1, to: 1 },
      sources: entries(sources),
      model: 'a',
      promptHash: '0'.repeat(64),
      tokens: { input: 0, output: 0 },
    });
    expect(faults(summaryAdded.schema, stated(longestSummary, maxSources))).toEqual([]);
    expect(faults(summaryAdded.schema, stated(longestSummary + 1, maxSources))).toEqual(['/text']);
    expect(faults(summaryAdded.schema, stated(1, maxSources + 1))).toEqual(['/sources']);
  });
});
