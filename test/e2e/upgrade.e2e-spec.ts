import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { type Kysely, sql } from 'kysely';
import { type Dispatcher, Pool } from 'undici';

import { type Database, createDatabase, createPool, migrateToLatest } from '#database';
import { PostgresEventStore } from '#event-store-postgres';
import { announceProjections, sharedContextVersion } from '#read-models';
import { type NewContextEvent } from '#shared-context';
import {
  HistoryWriter,
  type TestServer,
  createEmptyDatabase,
  openTestServer,
  projectAll,
  waitFor,
} from '#testing';

import { rootKey } from './root-key.js';
import {
  type ServerProcess,
  startProjectorProcess,
  startServerProcess,
  stopServerProcesses,
  throughline,
} from './server-process.js';

/** The first migration that the version before did not have, and the number of its projection. */
const firstNew = '20261122T2300';
const projectionBefore = 7;
/** It did not store these. */
const newTypes = ['IterationsCarried'];

const root = join(import.meta.dirname, '..', '..');
const fixtures = join(root, 'libs/shared-context/fixtures');
type Body = ReturnType<typeof JSON.parse>;

const contexts = ['all', 'again', 'fork', 'self', '%2E%2E'];

describe('a database of the version before', () => {
  let postgres: TestServer;
  let server: ServerProcess;
  let client: Pool;
  let env: Readonly<Record<string, string>>;
  const before = new Map<string, unknown>();

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

  it('is migrated by a server that starts on it, and read and written before its rows are built again', async () => {
    server = await startServerProcess({ ...env, PROJECTOR: 'external' });
    client = new Pool(server.address);
    expect(await projection()).toMatchObject({ version: projectionBefore });
    const written = await ask('POST', 'contexts/again/step-outputs', { stepId: 'new', output: 1 });
    expect(written.status).toBe(201);
    for (const contextId of contexts) {
      const { status, body } = await ask('GET', `contexts/${contextId}`);
      expect([contextId, status]).toEqual([contextId, 200]);
      before.set(contextId, body);
    }
    expect(before.get('again')).toMatchObject({ stepOutputs: { new: 1 } });
    const { body: list } = await ask('GET', 'contexts');
    expect(list.items).toHaveLength(contexts.length + 1);
  }, 120_000);

  it('gets rows of this version beside the old ones, which say the same', async () => {
    await startProjectorProcess({ ...env, THROUGHLINE_URL: server.address });
    const meanwhile = async () => {
      expect((await ask('GET', 'contexts/all')).body).toEqual(before.get('all'));
      return projection();
    };
    await waitFor('rows of this version', meanwhile, {
      until: ({ version, lagEvents }) => version === sharedContextVersion && lagEvents === 0,
      timeoutMs: 60_000,
    });
    for (const contextId of contexts)
      expect((await ask('GET', `contexts/${contextId}`)).body).toEqual(before.get(contextId));
    const audit = await throughline(['audit', '--json'], {
      ...env,
      THROUGHLINE_URL: server.address,
      THROUGHLINE_KEY: rootKey,
    });
    const { reports }: Body = JSON.parse(audit.out);
    for (const id of ['I2', 'I6', 'I9'])
      expect(reports.find((report: Body) => report.id === id)).toMatchObject({ verdict: 'held' });
  }, 120_000);

  const projection = async () => (await ask('GET', 'projections')).body.items[0];

  /** The path is sent as it is: a URL would be normalised. */
  async function ask(method: Dispatcher.HttpMethod, path: string, body?: object) {
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

/** Its schema, streams as it stored them, and rows as it made them. */
async function makeDatabaseOfBefore(connectionString: string): Promise<void> {
  const pool = createPool({ connectionString, applicationName: 'before' });
  const db: Kysely<Database> = createDatabase(pool);
  await migrateToLatest(db, { upTo: migrationsBefore() });
  const store = new PostgresEventStore({ pool });
  await writeHistory(new HistoryWriter(store));
  await announceProjections({ db, store });
  // The projector of today makes the rows; it needs the column that the version before did not have.
  await sql`alter table throughline.contexts add column imported boolean`.execute(db);
  await projectAll(db, store);
  await sql`alter table throughline.contexts drop column imported`.execute(db);
  await sql`update throughline.projections set version = ${projectionBefore}`.execute(db);
  await store.close();
  await db.destroy();
}

function migrationsBefore() {
  const checksums: Record<string, string> = JSON.parse(
    readFileSync(join(root, 'migrations/checksums.json'), 'utf8'),
  );
  return Object.entries(checksums)
    .map(([file, checksum]) => ({ name: file.replace('.ts', ''), checksum }))
    .filter(({ name }) => name < firstNew);
}

/** Events of every type, and what is refused as input by now: blank texts, ids of dots, a context as its own parent. */
async function writeHistory(writer: HistoryWriter): Promise<void> {
  const [created, ...stored] = [...linesOf('events-v1.jsonl'), ...linesOf('names-v1.jsonl')];
  const opening = ['ContextCreated', 'ContextForked', 'ContextRestored', ...newTypes];
  const rest = stored.filter(({ type }) => !opening.includes(type));
  if (created) await writer.append('all', created, ...rest);
  const blank = event('HandoverNoted', { handoverId: '.', to: ' ', note: ' ' });
  const dots = event('StepStarted', { stepId: '..' });
  const start = event('ContextCreated', {});
  await writer.append('again', start, dots, blank, event('ContextRestored', { version: 2 }));
  await writer.append('story-1', start, ...rest.filter(({ type }) => type === 'RecordAppended'));
  const source = { contextId: 'story-1', version: 7 };
  await writer.append('fork', event('ContextForked', { source }), dots);
  await writer.append('self', event('ContextCreated', { parent: 'self' }));
  await writer.append('..', start, dots);
}

function event(type: string, data: object): NewContextEvent {
  // Stored by another version: what this one takes as input is not what it is held against.
  return { type, data, visibility: 'record' } as unknown as NewContextEvent;
}

function linesOf(file: string): NewContextEvent[] {
  return readFileSync(join(fixtures, file), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => {
      const { type, data } = JSON.parse(line) as { type: string; data: object };
      return event(type, data);
    });
}
