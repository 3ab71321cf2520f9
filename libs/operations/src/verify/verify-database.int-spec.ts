import { did, useTestStore } from '#testing';

import { verifyDatabase } from './verify-database.js';

const outputs = (count: number) =>
  Array.from({ length: count }, (_, n) => did('StepOutputAdded', { stepId: `s-${n}`, output: n }));

describe('the verification of a database', () => {
  const on = useTestStore();

  beforeEach(async () => {
    for (const contextId of ['a', 'b', 'c'])
      await on.history.append(contextId, did('ContextCreated', {}), ...outputs(5));
  });

  /** Changes rows like the owner of the database, who can disable triggers. */
  async function tamper(statement: string): Promise<void> {
    await on.pool.query(
      `begin; set local session_replication_role = replica; ${statement}; commit`,
    );
  }
  const idOf = (contextId: string) =>
    `(select stream_id from throughline.streams where stream = 'context-default:${contextId}')`;
  const at = (contextId: string, version: number) =>
    `stream_id = ${idOf(contextId)} and version = ${version}`;
  const nextPosition = '(select max(position) + 1 from throughline.events)';

  it('reports nothing for an unmodified log', async () => {
    expect(await verifyDatabase(on.db)).toEqual({
      streams: 3,
      events: 18,
      broken: 0,
      findings: [],
      missingPosition: null,
    });
  });

  it.each<[change: string, statement: string, expected: string]>([
    [
      'a byte of a payload',
      `update throughline.events set data = replace(data, '2', '7') where ${at('b', 4)}`,
      'b 4 wrong-hash',
    ],
    [
      'white space in a payload',
      `update throughline.events set data = data || ' ' where ${at('b', 4)}`,
      'b 4 wrong-hash',
    ],
    [
      'an author',
      `update throughline.events set metadata = replace(metadata, 'tester', 'nobody') where ${at('b', 4)}`,
      'b 4 wrong-hash',
    ],
    [
      'a time',
      `update throughline.events set metadata = replace(metadata, '2026-01-01', '2025-01-01') where ${at('b', 4)}`,
      'b 4 wrong-hash',
    ],
    [
      'a hash',
      `update throughline.events set metadata = regexp_replace(metadata, '"hash":"....', '"hash":"0000') where ${at('b', 4)}`,
      'b 4 wrong-hash',
    ],
    [
      'metadata without an envelope',
      `update throughline.events set metadata = '{}' where ${at('b', 4)}`,
      'b 4 unreadable-envelope',
    ],
    [
      'a type',
      `update throughline.events set type = 'StepStarted' where ${at('b', 4)}`,
      'b 4 wrong-hash',
    ],
    [
      'an event id',
      `update throughline.events set event_id = gen_random_uuid() where ${at('b', 4)}`,
      'b 4 wrong-hash',
    ],
    [
      'two exchanged',
      `update throughline.events e set data = o.data, metadata = o.metadata, event_id = o.event_id
        from throughline.events o where e.stream_id = o.stream_id and e.stream_id = ${idOf('b')}
        and e.version in (3, 4) and o.version = 7 - e.version`,
      'b 3 wrong-previous-hash',
    ],
    ['one removed in the middle', `delete from throughline.events where ${at('b', 4)}`, 'b 4 gap'],
    [
      'one removed, the rest moved up',
      `delete from throughline.events where ${at('b', 4)};
        update throughline.events set version = version - 1 where stream_id = ${idOf('b')} and version = 5;
        update throughline.events set version = version - 1 where stream_id = ${idOf('b')} and version = 6`,
      'b 4 wrong-previous-hash',
    ],
    ['the first removed', `delete from throughline.events where ${at('b', 1)}`, 'b 1 gap'],
    [
      'one appended',
      `insert into throughline.events select ${nextPosition}, stream_id, gen_random_uuid(), 7, type, data, metadata
        from throughline.events where ${at('b', 6)}`,
      'b 7 wrong-previous-hash',
    ],
    [
      'one moved to another stream',
      `update throughline.events set stream_id = ${idOf('b')}, version = 7 where ${at('c', 6)}`,
      'b 7 wrong-previous-hash',
    ],
    [
      'a whole stream under another name',
      `update throughline.streams set stream = 'context-default:z' where stream_id = ${idOf('b')}`,
      'z 1 wrong-hash',
    ],
  ])('names the first bad event: %s', async (_, statement, expected) => {
    await tamper(statement);
    const [contextId, version, reason] = expected.split(' ');
    const verdict = await verifyDatabase(on.db);
    expect(verdict.findings).toContainEqual({
      stream: `context-default:${contextId}`,
      version: Number(version),
      reason,
    });
    expect(verdict.broken).toBe(verdict.findings.length);
  });

  it('reports streams that are hidden from every read', async () => {
    await tamper(`update throughline.streams set stream = 'hidden' where stream_id = ${idOf('a')};
      delete from throughline.streams where stream_id = ${idOf('c')}`);
    expect((await verifyDatabase(on.db)).findings).toEqual([
      { stream: 'hidden', version: 1, reason: 'foreign-stream' },
      { stream: expect.stringMatching(/^\d+$/), version: 1, reason: 'no-stream' },
    ]);
  });

  it('reports a truncated stream by the gap in the log, unless the log was truncated too', async () => {
    await tamper(`delete from throughline.events where ${at('b', 6)}`);
    expect(await verifyDatabase(on.db)).toMatchObject({ broken: 0, missingPosition: '12' });
    await tamper(`delete from throughline.events where position >= 12`);
    // Only earlier values stored elsewhere, such as a seal or an export, can reveal this.
    expect(await verifyDatabase(on.db)).toMatchObject({ broken: 0, missingPosition: null });
  });

  it('reads large events in pages of bounded size', async () => {
    const history = on.history;
    await history.append('large', did('ContextCreated', {}));
    for (let n = 0; n < 24; n++)
      await history.append(
        'large',
        did('StepOutputAdded', { stepId: 's', output: 'x'.repeat(900_000) }),
      );
    expect(await verifyDatabase(on.db)).toMatchObject({ streams: 4, events: 43, broken: 0 });
  });
});
