import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { type Kysely, sql } from 'kysely';
import { type Dispatcher, Pool } from 'undici';

import { type Database, createDatabase, createPool, migrateToLatest } from '#database';
import { sharedContextVersion } from '#read-models';
import { type TestServer, createEmptyDatabase, openTestServer, waitFor } from '#testing';

import { rootKey } from './root-key.js';
import {
  type ServerProcess,
  startProjectorProcess,
  startServerProcess,
  stopServerProcesses,
  throughline,
} from './server-process.js';

/** The first migration that is new in this version, and the version of its projection. */
const firstNew = '20261122T2300';
const projectionBefore = 7;
/** Members that this version folds in addition. */
const newMembers = ['completedBy'];
/**
 * Rows of the event store and the projection "shared-context" that the version before wrote, one per line: the table
 * and the row as JSON. The events have all its types, and content that is refused as input today: blank texts, ids of
 * dots, a context as its own parent, reserved names. Search and summaries had not run.
 */
const rowsFile = `rows-before-${firstNew}.txt`;

const root = join(import.meta.dirname, '..', '..');
type Body = ReturnType<typeof JSON.parse>;

const contexts = ['all', 'again', 'fork', 'self', '%2E%2E'];

describe('a database of the version before', () => {
  let postgres: TestServer;
  let server: ServerProcess;
  let client: Pool;
  let env: Readonly<Record<string, string>>;
  const earlier = new Map<string, unknown>();
  const outcomesBefore = new Map<string, readonly string[]>();

  beforeAll(async () => {
    postgres = await openTestServer();
    const connectionString = await createEmptyDatabase(postgres);
    env = { DATABASE_URL: connectionString, EVENTSTORE_URL: '', THROUGHLINE_ADMIN_KEY: rootKey };
    await makeDatabaseOfBefore(connectionString);
  }, 120_000);

  afterAll(async () => {
    await client?.destroy();
    await stopServerProcesses();
    await postgres.close();
  }, 120_000);

  it('is migrated by a server that starts on it, and can be read and written before its rows are rebuilt', async () => {
    server = await startServerProcess({ ...env, PROJECTOR: 'external' });
    client = new Pool(server.address);
    expect(await projection()).toMatchObject({ version: projectionBefore });
    const written = await send('POST', 'contexts/again/step-outputs', { stepId: 'new', output: 1 });
    expect(written.status).toBe(201);
    for (const contextId of contexts) {
      const { status, body } = await send('GET', `contexts/${contextId}`);
      expect([contextId, status]).toEqual([contextId, 200]);
      earlier.set(contextId, body);
      outcomesBefore.set(contextId, await outcomesOf(contextId));
    }
    const running = ['in_progress', 'running'];
    for (const [contextId, outcomes] of outcomesBefore)
      expect([contextId, outcomes.filter((one) => !running.includes(one))]).toEqual([
        contextId,
        outcomes.filter((one) => one === 'unknown'),
      ]);
    expect(earlier.get('again')).toMatchObject({ stepOutputs: { new: 1 } });
    const { body: page } = await send('GET', 'contexts');
    expect(page.items).toHaveLength(contexts.length + 1);
  }, 120_000);

  it('has its values derived by the stored transformations', async () => {
    await send('POST', 'contexts', { contextId: 'derives' });
    for (const output of [1, 2])
      expect(
        await send('POST', 'contexts/derives/step-outputs', { stepId: 'old', output }),
      ).toEqual({
        status: 201,
        body: expect.objectContaining({ events: [expect.anything(), expect.anything()] }),
      });
    const { derived } = (await send('GET', 'contexts/derives')).body;
    expect(derived['project_metadata.total'].value).toBe(20);
  }, 120_000);

  it('gets rows of this version in addition to the old ones: with the same content, the completers of tasks, and the outcomes of children', async () => {
    await startProjectorProcess({ ...env, THROUGHLINE_URL: server.address });
    const projectionNow = async () => {
      expect(withoutNew((await send('GET', 'contexts/all')).body)).toEqual(
        withoutNew(earlier.get('all')),
      );
      return projection();
    };
    await waitFor('rows of this version', projectionNow, {
      until: ({ version, lagEvents }) => version === sharedContextVersion && lagEvents === 0,
      timeoutMs: 60_000,
    });
    for (const contextId of contexts)
      expect(withoutNew((await send('GET', `contexts/${contextId}`)).body)).toEqual(
        withoutNew(earlier.get(contextId)),
      );
    expect(new Set(await outcomesOf('self'))).toEqual(new Set(['not_started']));
    expect(earlier.get('self')).toMatchObject({ children: [{ outcome: 'unknown' }] });
    expect((await send('GET', 'contexts/self')).body).toMatchObject({
      children: [{ outcome: 'not_started' }],
      executionSummary: { notStarted: 1 },
    });
    const { body: all } = await send('GET', 'contexts/all');
    expect(JSON.stringify(all)).toContain('"completedBy":"tester"');
    const audit = await throughline(['audit', '--json'], {
      ...env,
      THROUGHLINE_URL: server.address,
      THROUGHLINE_KEY: rootKey,
    });
    const { reports }: Body = JSON.parse(audit.out);
    for (const id of ['I2', 'I6', 'I9'])
      expect(reports.find((report: Body) => report.id === id)).toMatchObject({ verdict: 'held' });
  }, 120_000);

  it('has an earlier provided input at its path after it is provided again', async () => {
    const { inputRequests } = (await send('GET', 'contexts/all')).body;
    const { path, value, note, inputRequestId } = inputRequests[0];
    const found = async () => {
      const template = `{{#if ${path}}}found{{else}}missing{{/if}}`;
      return (await send('POST', 'contexts/all/prompt', { template })).body.text;
    };
    expect([path, await found()]).toEqual(['analyst.outputs.project_brief.budget', 'missing']);
    const provide = () =>
      send('POST', `contexts/all/input-requests/${inputRequestId}/provide`, { value, note });
    expect((await provide()).status).toBe(201);
    expect(await found()).toBe('found');
    expect((await provide()).status).toBe(200);
  }, 120_000);

  /** The document on each route that returns it. */
  const outcomesOf = async (contextId: string): Promise<readonly string[]> => {
    const path = `contexts/${contextId}`;
    const outcomes: string[] = [];
    for (const query of ['', '?parts=outcome', '?asOf=1', '?asOf=1&parts=outcome'])
      outcomes.push((await send('GET', `${path}${query}`)).body.outcome);
    outcomes.push((await send('GET', `${path}?audience=failure-analyst`)).body.outcome);
    outcomes.push((await send('GET', `${path}/check`)).body.outcome);
    for (const query of ['', '?asOf=1', '?focus=retrospective', '?audience=reviewer'])
      outcomes.push(
        /status (\w+)\n$/.exec((await send('GET', `${path}/view${query}`)).body.text)?.[1] ??
          'none',
      );
    return outcomes;
  };

  const projection = async () => (await send('GET', 'projections')).body.items[0];

  /** The path is sent unchanged: a URL would be normalized. */
  async function send(method: Dispatcher.HttpMethod, path: string, body?: object) {
    const answer = await client.request({
      method,
      path: `/v1/${path}`,
      headers: {
        authorization: `Bearer ${rootKey}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      body: body ? JSON.stringify(body) : null,
    });
    const received: Body = await answer.body.json();
    return { status: answer.statusCode, body: received };
  }
});

/** The schema of the version before, and its rows. */
async function makeDatabaseOfBefore(connectionString: string): Promise<void> {
  const pool = createPool({ connectionString, applicationName: 'before' });
  const db: Kysely<Database> = createDatabase(pool);
  await migrateToLatest(db, { upTo: migrationsBefore() });
  await db.transaction().execute(async (trx) => {
    // The rows refer to one another, and are in the order of their tables.
    await sql`set local session_replication_role = replica`.execute(trx);
    await sql`delete from throughline.store_identity`.execute(trx);
    for (const [table, row] of rowsBefore()) {
      const name = sql.table(`throughline.${table}`);
      await sql`insert into ${name} overriding system value
        select * from json_populate_record(null::${name}, ${row}::json)`.execute(trx);
    }
    for (const [at, expression] of ['value', 'value * 10'].entries())
      await sql`
        insert into throughline.transformation_versions
          (workspace, transformation_id, version, definition, changed_by)
        values ('default', 'total', ${at + 1}, ${transformation(expression)}, 'admin')`.execute(
        trx,
      );
    await sql`select setval('throughline.streams_stream_id_seq', (select max(stream_id) from throughline.streams))`.execute(
      trx,
    );
  });
  await db.destroy();
}

function transformation(expression: string): string {
  return JSON.stringify({
    trigger: { step: 'old' },
    sources: { value: 'context.old' },
    operation: { kind: 'score', expression },
    destinations: ['project_metadata.total'],
  });
}

/** Not parsed as JSON: positions may exceed the numbers of JavaScript. */
function rowsBefore(): (readonly [table: string, row: string])[] {
  const text = readFileSync(join(import.meta.dirname, 'fixtures', rowsFile), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]);
}

/** A document without members that the rows of the version before lack: new members and outcomes. */
function withoutNew(document: Body): Body {
  const text = JSON.stringify(document, (name, value: unknown) =>
    newMembers.includes(name) ? undefined : value,
  );
  const full = { ...JSON.parse(text), outcome: undefined };
  const children = full.children.map((child: Body) => ({ ...child, outcome: undefined }));
  return { ...full, children, executionSummary: undefined };
}

function migrationsBefore() {
  const checksums: Record<string, string> = JSON.parse(
    readFileSync(join(root, 'migrations/checksums.json'), 'utf8'),
  );
  return Object.entries(checksums)
    .map(([file, checksum]) => ({ name: file.replace('.ts', ''), checksum }))
    .filter(({ name }) => name < firstNew);
}
