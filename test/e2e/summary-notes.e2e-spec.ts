import { request } from 'undici';

import { type ModelReply, ModelServer, waitFor } from '#testing';

import { type ServerProcess, startServerProcess, stopServerProcesses } from './server-process.js';
import { type ServerDatabase, openServerDatabase } from './server-stores.js';

const limitMs = 180_000;
const rootKey = 'root-key-of-these-tests';
/** Two of these texts exceed the threshold; one of them fits into `short` in full. */
const long = (name: string) => `${name} ${'lorem ipsum dolor '.repeat(150)}`;
const short = 'view?maxTokens=800';

describe('a note about a missing summary', () => {
  let stores: ServerDatabase;
  let models: ModelServer;
  let server: ServerProcess;
  /** A server without read models and summaries. */
  let reader: ServerProcess;

  beforeAll(async () => {
    models = await ModelServer.open();
    stores = await openServerDatabase();
    server = await start({
      THROUGHLINE_SUMMARIZER: 'openai',
      THROUGHLINE_SUMMARIZER_URL: models.url,
      THROUGHLINE_SUMMARIZER_MODEL: 'm-1',
      THROUGHLINE_SUMMARIZER_THRESHOLD: '1000',
    });
    reader = await start({ PROJECTOR: 'external' });
  }, limitMs);

  afterAll(async () => {
    await stopServerProcesses();
    await stores.close();
    await models.close();
  }, limitMs);

  const start = (env: Readonly<Record<string, string>>) =>
    startServerProcess({
      ...env,
      ...stores.env,
      THROUGHLINE_ADMIN_KEY: rootKey,
    });
  const call = async (method: 'GET' | 'POST' | 'PATCH', path: string, more: CallOptions = {}) => {
    const { body, at = server } = more;
    const answer = await request(`${at.address}/v1/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${rootKey}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      body: body ? JSON.stringify(body) : null,
    });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${text}`);
    const isJson = String(answer.headers['content-type']).includes('json');
    const { notes = 'none' } = answer.headers;
    return { text, notes, body: isJson ? JSON.parse(text) : undefined };
  };
  const read = (contextId: string, view = short, at = server) =>
    call('GET', `contexts/${contextId}/${view}`, { at });
  const create = async (contextId: string) => {
    await call('POST', 'contexts', { body: { contextId } });
    for (const stepId of ['one', 'two'])
      await call('POST', `contexts/${contextId}/step-outputs`, {
        body: { stepId, output: long(stepId) },
      });
  };
  const summarized = async (contextId: string) => {
    const path = `contexts/${contextId}/events?types=SummaryAdded&wait=30`;
    expect((await call('GET', path)).body.items).toHaveLength(1);
  };
  /** The summary is stored shortly before the lease to write it is released. */
  const viewWithoutNote = (contextId: string) =>
    waitFor(`a view of ${contextId} without a note`, () => read(contextId), {
      until: ({ notes }) => notes === 'none',
    });
  /** Ends the pause after a failure. */
  const endPause = () =>
    stores.database.pool.query('update throughline.summary_places set next_at = null');

  it(
    'is in views without a filter while the model fails, and no longer after a summary was written',
    async () => {
      models.model = () => ({ status: 500, text: '{}' });
      await create('down');
      const { body, notes } = await waitFor('a note that the model failed', () => read('down'), {
        until: (answer) => /it failed/.test(String(answer.notes)),
      });
      expect(body.notes).toEqual([
        expect.stringMatching(
          /^a model has not summarized the old entries yet: it failed once and is asked again from 20\S+Z on; until then,/,
        ),
      ]);
      expect(body.text).toContain('step-output:two');
      expect(body.text).not.toContain('a model');
      const markdown = await read('down', `${short}&format=markdown`);
      expect(markdown).toMatchObject({ text: body.text, notes: body.notes[0] });
      expect(notes).toBe(body.notes[0]);
      expect((await read('down', short, reader)).body).toEqual(body);

      for (const view of ['view', `${short}&audience=retrospective`, `${short}&asOf=3`]) {
        const other = await read('down', view);
        expect([view, other.notes, other.body.notes]).toEqual([view, 'none', undefined]);
      }
      await call('PATCH', 'settings', { body: { summaries: false } });
      expect((await read('down')).notes).toBe('none');
      await call('PATCH', 'settings', { body: { summaries: null } });
      await call('POST', 'contexts/down/close', { body: {} });
      // This server knows from lists whether the context is open.
      await viewWithoutNote('down');
      await call('POST', 'contexts/down/reopen', { body: {} });
      await waitFor('a note on the reopened context', () => read('down'), {
        until: (answer) => answer.notes !== 'none',
      });

      models.model = () => ({ says: 'What was done.' });
      await endPause();
      await summarized('down');
      await viewWithoutNote('down');
      expect((await read('down')).body).not.toHaveProperty('notes');
    },
    limitMs,
  );

  it(
    'is in views while the model has not answered yet, without waiting for it',
    async () => {
      const requested = Promise.withResolvers<void>();
      const answer = Promise.withResolvers<ModelReply>();
      models.model = () => {
        requested.resolve();
        return answer.promise;
      };
      await create('slow');
      await requested.promise;
      const { body } = await read('slow');
      expect(body.notes).toEqual([expect.stringContaining('it is being asked now')]);
      expect(body.tokens).toBeLessThanOrEqual(800);
      answer.resolve({ says: 'What was done.' });
      await summarized('slow');
      await viewWithoutNote('slow');
    },
    limitMs,
  );
});

type CallOptions = Readonly<{ body?: object; at?: ServerProcess }>;
