import { request } from 'undici';

import { type ModelReply, ModelServer, waitFor } from '#testing';

import { type ServerProcess, startServerProcess, stopServerProcesses } from './server-process.js';
import { type ServerDatabase, openServerDatabase } from './server-stores.js';

const limitMs = 180_000;
const rootKey = 'root-key-of-these-tests';
/** Two of them pass the threshold, and one alone is told whole in what `short` leaves. */
const long = (name: string) => `${name} ${'lorem ipsum dolor '.repeat(150)}`;
const short = 'view?maxTokens=800';

describe('a note of a summary that is missing', () => {
  let stores: ServerDatabase;
  let models: ModelServer;
  let server: ServerProcess;
  /** Leaves its read models, and summaries, to others. */
  let front: ServerProcess;

  beforeAll(async () => {
    models = await ModelServer.open();
    stores = await openServerDatabase();
    server = await start({
      THROUGHLINE_SUMMARIZER: 'openai',
      THROUGHLINE_SUMMARIZER_URL: models.url,
      THROUGHLINE_SUMMARIZER_MODEL: 'm-1',
      THROUGHLINE_SUMMARIZER_THRESHOLD: '1000',
    });
    front = await start({ PROJECTOR: 'external' });
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
  const call = async (method: 'GET' | 'POST' | 'PATCH', path: string, more: Called = {}) => {
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
  /** The summary is there a moment before the lease to write it is given back. */
  const settled = (contextId: string) =>
    waitFor(`a view of ${contextId} without a note`, () => read(contextId), {
      until: ({ notes }) => notes === 'none',
    });
  /** As if the pause behind a failure were over. */
  const tryAgain = () =>
    stores.database.pool.query('update throughline.summary_places set next_at = null');

  it(
    'is with the view while the model fails, for who sees everything, and gone once it has summed up',
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
      expect((await read('down', short, front)).body).toEqual(body);

      for (const silent of ['view', `${short}&audience=retrospective`, `${short}&asOf=3`]) {
        const other = await read('down', silent);
        expect([silent, other.notes, other.body.notes]).toEqual([silent, 'none', undefined]);
      }
      await call('PATCH', 'settings', { body: { summaries: false } });
      expect((await read('down')).notes).toBe('none');
      await call('PATCH', 'settings', { body: { summaries: null } });
      await call('POST', 'contexts/down/close', { body: {} });
      // Whether it is open is known here as lists know it.
      await settled('down');
      await call('POST', 'contexts/down/reopen', { body: {} });
      await waitFor('a note on the reopened context', () => read('down'), {
        until: (answer) => answer.notes !== 'none',
      });

      models.model = () => ({ says: 'What was done.' });
      await tryAgain();
      await summarized('down');
      await settled('down');
      expect((await read('down')).body).not.toHaveProperty('notes');
    },
    limitMs,
  );

  it(
    'is with the view while the model has not answered, which nobody waits for',
    async () => {
      const asked = Promise.withResolvers<void>();
      const answer = Promise.withResolvers<ModelReply>();
      models.model = () => {
        asked.resolve();
        return answer.promise;
      };
      await create('slow');
      await asked.promise;
      const { body } = await read('slow');
      expect(body.notes).toEqual([expect.stringContaining('it is being asked now')]);
      expect(body.tokens).toBeLessThanOrEqual(800);
      answer.resolve({ says: 'What was done.' });
      await summarized('slow');
      await settled('slow');
    },
    limitMs,
  );
});

type Called = Readonly<{ body?: object; at?: ServerProcess }>;
