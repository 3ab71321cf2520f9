import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { WorkflowStore } from '#application';
import { type TestDatabase, type TestServer, openTestDatabase, openTestServer } from '#testing';

import { createLogger } from './logger.js';
import { WorkflowFilesError, publishWorkflows } from './publish-workflows.js';

const log = createLogger({ logLevel: 'silent' });
const agent = (id: string) => `{ "id": "${id}", "type": "agent", "agent": "x" }`;

describe('the directory of workflows', () => {
  let server: TestServer;
  let database: TestDatabase;
  let directory: string;

  beforeAll(async () => {
    server = await openTestServer();
  }, 120_000);
  beforeEach(async () => {
    database = await openTestDatabase(server);
    directory = await mkdtemp(join(tmpdir(), 'throughline-workflows-'));
  });
  afterEach(async () => {
    await database.close();
    await rm(directory, { recursive: true, force: true });
  });
  afterAll(() => server.close());

  const write = (name: string, text: string) => writeFile(join(directory, name), text);
  const publish = () =>
    publishWorkflows({ db: database.db, config: { workflowsDir: directory }, log });
  const listed = async () => {
    const views = await new WorkflowStore(database.db).list('default');
    return views.map(({ definitionId, version, publishedBy }) => [
      definitionId,
      version,
      publishedBy,
    ]);
  };

  it('is published in the workspace default, and changed definitions are published again', async () => {
    await write('b.jsonc', `{ "id": "b", /* two */ "steps": [${agent('s')},] }`);
    await write('a.json', `{ "id": "a", "steps": [${agent('s')}] }`);
    await write('notes.md', 'no definition');
    await publish();
    await write('a.json', `{ "id": "a", "steps": [${agent('t')}] }`);
    await publish();
    await publish();
    expect(await listed()).toEqual([
      ['a', 2, 'WORKFLOWS_DIR'],
      ['b', 1, 'WORKFLOWS_DIR'],
    ]);
  });

  it('is refused completely, with the position of every error', async () => {
    await write('a.json', `{ "id": "a", "steps": [${agent('s')}] }`);
    await write('b.json', `{\n  "id": "b",\n  "steps": []\n}`);
    await write('c.json', `{ "id": "a", "steps": [${agent('t')}] }`);
    const error = await publish().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(WorkflowFilesError);
    expect(String(error)).toBe(
      [
        `WorkflowFilesError: ${join(directory, 'b.json')}:3:12: steps must be at least 1 entry`,
        `${join(directory, 'c.json')}: the id a is also used by ${join(directory, 'a.json')}`,
      ].join('\n'),
    );
    expect(await listed()).toEqual([]);
  });

  it('must exist', async () => {
    await rm(directory, { recursive: true });
    await expect(publish()).rejects.toThrow(/^WORKFLOWS_DIR: ENOENT/);
  });
});
