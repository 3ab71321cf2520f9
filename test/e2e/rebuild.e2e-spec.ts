import { setTimeout as wait } from 'node:timers/promises';

import { sql } from 'kysely';

import { sized, waitFor } from '#testing';

import { type Body, OperatedServer, Writers, pauseMs } from './operated-server.js';
import {
  type ProjectorProcess,
  startProjectorProcess,
  startThroughline,
  stopServerProcesses,
  throughline,
} from './server-process.js';

const limitMs = 120_000;
const jobLimitMs = 90_000;
const seeded = sized(8, 20);
const eventsEach = sized(60, 100);
const rebuild = 'projections/shared-context/rebuild';

describe('a rebuild that a client requests', () => {
  let server: OperatedServer;
  let projector: ProjectorProcess;

  beforeAll(async () => {
    server = await OperatedServer.start();
    projector = await startProjectorProcess(server.env);
    await Promise.all(Array.from({ length: seeded }, (_, n) => seed(`seed-${n}`)));
    await server.caughtUp();
  }, limitMs);

  afterAll(async () => {
    await stopServerProcesses();
    await server.stop();
  }, limitMs);

  it('runs during writes, and no read fails or returns partial rows', async () => {
    const writers = new Writers(server, ['w1', 'w2', 'w3', 'w4']);
    const readers = new Readers(server);
    await waitFor('20 reads', () => readers.reads, { until: (reads) => reads > 20 });
    const before = await server.call('GET', 'contexts/seed-3');
    const { status, headers, body } = await server.ask('POST', rebuild, { verify: true });
    expect(status).toBe(202);
    expect(headers['location']).toBe(`/v1/jobs/${body.jobId}`);
    const job = await waitForEnd(body.jobId);
    const [writtenBefore, readBefore] = [writers.written, readers.reads];
    await waitFor(
      '20 writes and 20 reads behind the switch',
      () => [writers.written - writtenBefore, readers.reads - readBefore],
      { until: (counts) => Math.min(...counts) > 20 },
    );
    await writers.stop();
    expect(await readers.stop()).toEqual([]);
    expect(job).toMatchObject({ state: 'switched', phase: 'finished', different: 0 });
    expect(job.compared).toBeGreaterThanOrEqual(seeded);
    expect(await server.call('GET', 'contexts/seed-3')).toEqual(before);
    expect(await server.call('POST', `jobs/${job.jobId}/confirm`)).toMatchObject({ state: 'done' });
    expect((await server.ask('POST', `jobs/${job.jobId}/cancel`)).body.type).toBe(
      '/problems/run-state',
    );
    await expectRowsAreTheFold();
  }, 120_000);

  it('is completed by another process if its process is killed', async () => {
    const { jobId } = await server.call('POST', rebuild, { rate: sized(100, 400) });
    await waitForApplied(jobId, sized(50, 200));
    await projector.stop('SIGKILL');
    const killed = await server.call('GET', `jobs/${jobId}`);
    projector = await startProjectorProcess(server.env);
    const job = await waitForEnd(jobId);
    expect(job).toMatchObject({ state: 'switched', different: 0 });
    expect(job.epoch).toBeGreaterThan(killed.epoch);
    expect(job.applied).toBe(job.total);
    await expectRowsAreTheFold();
  }, 120_000);

  it('leaves no tables if it is cancelled before the switch, and excludes a second rebuild until then', async () => {
    const before = await server.call('GET', 'contexts');
    const { jobId } = await server.call('POST', rebuild, { rate: 50 });
    await waitForApplied(jobId, 0);
    const second = await server.ask('POST', rebuild);
    expect(second.status).toBe(409);
    expect(second.body).toMatchObject({ type: '/problems/run-state', jobId });
    await server.call('POST', `jobs/${jobId}/cancel`);
    expect(await waitForEnd(jobId)).toMatchObject({ state: 'cancelled' });
    expect(await schemas()).not.toContain(expect.stringContaining('building'));
    expect(await server.call('GET', 'contexts')).toEqual(before);
    expect((await server.call('GET', 'jobs?limit=1')).items[0]).toMatchObject({ jobId });
  }, 120_000);

  it('can be cancelled after the switch, and the old rows catch up', async () => {
    const { jobId } = await server.call('POST', rebuild, {});
    await waitForEnd(jobId);
    const output = { stepId: 'late', output: 'behind the switch' };
    await server.call('POST', 'contexts/seed-1/step-outputs', output);
    expect(await server.call('POST', `jobs/${jobId}/cancel`)).toMatchObject({ state: 'cancelled' });
    await server.caughtUp();
    await expectRowsAreTheFold();
  }, 120_000);

  it('can be requested, followed and confirmed from the command line', async () => {
    const command = ['projection', 'rebuild', 'shared-context', '--verify', '--rate', '2000'];
    const { code, out, err } = await throughline(command, server.env);
    expect({ code, err }).toMatchObject({ code: 0, err: expect.stringContaining('copying') });
    expect(out).toMatch(/state {5}switched\n.*\ncompared {2}all \d+ contexts, none different/);
    const [, jobId = ''] = /next: throughline projection confirm (\S+)/.exec(out) ?? [];
    expect((await throughline(['projection', 'list'], server.env)).out).toContain('shared-context');
    const confirmed = await throughline(['projection', 'confirm', jobId], server.env);
    expect(confirmed).toMatchObject({ code: 0, out: expect.stringMatching(/state {5}done/) });
    const repeatedCancel = await throughline(['projection', 'cancel', jobId], server.env);
    expect(repeatedCancel).toMatchObject({ code: 3, err: expect.stringContaining('run-state') });
  }, 120_000);

  it('continues after Ctrl-C of its command, and its end ends a follower', async () => {
    const command = ['projection', 'rebuild', 'shared-context', '--rate', '50'];
    const running = startThroughline(command, server.env);
    await waitFor('a rebuild that is copying', running.output, {
      until: ({ err }) => err.includes('copying'),
    });
    const { code, err } = await running.stop('SIGINT');
    expect({ code, err }).toMatchObject({
      code: 0,
      err: expect.stringContaining('in the background'),
    });
    const [, jobId = ''] = /job show (\S+) --follow/.exec(err) ?? [];
    const follower = throughline(['job', 'show', jobId, '--follow'], server.env);
    const cancelled = await throughline(['projection', 'cancel', jobId], server.env);
    expect(cancelled.code).toBe(0);
    expect(await follower).toMatchObject({ code: 3, err: expect.stringContaining('cancelled') });
  }, 120_000);

  it('retries a context that PostgreSQL has refused, after the cause was removed', async () => {
    const { db } = server.database;
    await server.call('POST', 'contexts', { contextId: 'poisoned' });
    await server.caughtUp();
    await sql`alter table throughline.contexts add constraint no_poison check (context_id <> 'poisoned' or version < 2)`.execute(
      db,
    );
    const output = { stepId: 's', output: 1 };
    await server.call('POST', 'contexts/poisoned/step-outputs', output);
    const [letter] = await waitFor('one dead letter', deadLetters, {
      until: (items) => items.length === 1,
    });
    expect(letter).toMatchObject({ contextId: 'poisoned', version: 2, attempts: 1 });
    expect((await server.projection()).deadLetters).toBe(1);
    const failed = await server.call('POST', `dead-letters/${letter.id}/retry`);
    expect(failed).toMatchObject({ done: false, deadLetter: { attempts: 2 } });
    const refused = await throughline(['dead-letter', 'retry', '--all'], server.env);
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('1 of 1') });

    await sql`alter table throughline.contexts drop constraint no_poison`.execute(db);
    const listed = await throughline(['dead-letter', 'list'], server.env);
    expect(listed.out).toContain('default/poisoned');
    const retried = await throughline(['dead-letter', 'retry', letter.id], server.env);
    expect(retried).toMatchObject({ code: 0, out: `${letter.id} is applied` });
    expect(await deadLetters()).toEqual([]);
    await expectRowsAreTheFold();
  }, 120_000);

  async function seed(contextId: string): Promise<void> {
    await server.call('POST', 'contexts', { contextId, title: `The ${contextId}` });
    const events = Array.from({ length: eventsEach }, (_, n) => ({
      type: 'StepOutputAdded',
      data: { stepId: `s${n % 7}`, output: { n, text: 'x'.repeat(200) } },
    }));
    await server.call('POST', `contexts/${contextId}/events`, { events });
  }

  function waitForEnd(jobId: string): Promise<Body> {
    return waitFor('the end of the job', () => server.call('GET', `jobs/${jobId}`), {
      until: ({ state }) => !['waiting', 'running'].includes(state),
      timeoutMs: jobLimitMs,
    });
  }

  async function waitForApplied(jobId: string, events: number): Promise<void> {
    await waitFor(
      `more than ${events} events applied by the job`,
      () => server.call('GET', `jobs/${jobId}`),
      { until: ({ applied }) => applied > events },
    );
  }

  async function deadLetters(): Promise<Body[]> {
    return (await server.call('GET', 'dead-letters')).items;
  }

  async function schemas(): Promise<string[]> {
    const { rows } = await sql<{ nspname: string }>`
      select nspname from pg_namespace where nspname like 'throughline%'`.execute(
      server.database.db,
    );
    return rows.map(({ nspname }) => nspname);
  }

  async function expectRowsAreTheFold(): Promise<void> {
    await server.caughtUp();
    expect(await server.auditRows()).toMatchObject({ verdict: 'held', offenders: 0 });
  }
});

/** Reads lists and documents in a loop, and records each unexpected answer. */
class Readers {
  reads = 0;
  #reading = true;
  readonly #faults: string[] = [];
  readonly #work: Promise<void>[];

  constructor(private readonly server: OperatedServer) {
    this.#work = [this.#readLists(), this.#readLists(), this.#readDocuments()];
  }

  async stop(): Promise<readonly string[]> {
    this.#reading = false;
    await Promise.all(this.#work);
    return this.#faults;
  }

  async #readLists(): Promise<void> {
    while (this.#reading) {
      const { status, body } = await this.server.ask('GET', 'contexts?limit=100');
      const seeds = status === 200 ? body.items.filter(isSeed) : [];
      const complete = seeds.filter(({ version }: Body) => version === eventsEach + 1);
      if (complete.length !== seeded) this.#faults.push(`list ${status}: ${complete.length} whole`);
      this.reads++;
      await wait(pauseMs);
    }
  }

  async #readDocuments(): Promise<void> {
    for (let n = 0; this.#reading; n = (n + 1) % seeded) {
      const { status, body } = await this.server.ask('GET', `contexts/seed-${n}`);
      const outputs = Object.keys(body.stepOutputs ?? {}).length;
      if (status !== 200 || body._version !== eventsEach + 1 || outputs !== 7)
        this.#faults.push(`seed-${n} ${status}: version ${body._version}, ${outputs} outputs`);
      this.reads++;
      await wait(pauseMs);
    }
  }
}

function isSeed({ contextId }: Body): boolean {
  return contextId.startsWith('seed-');
}
