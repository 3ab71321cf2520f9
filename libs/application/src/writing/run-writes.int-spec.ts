import { createHash, createSecretKey } from 'node:crypto';

import { ContextReader, Projector } from '#read-models';
import { type ContextCommand, StaleAttemptError, findRun, itemKinds } from '#shared-context';
import { listenToStatements, useTestStore, waitForProjector } from '#testing';
import {
  type RunCommand,
  advanceCommand,
  compileWorkflow,
  executor,
  workflowDefinition,
} from '#workflow';

import { rootPrincipal } from '../authentication/authentication.js';
import { TransformationStore } from '../transformations/transformation-store.js';
import { CommandProcessor } from './command-processor.js';
import { prepareWrite } from './prepared-write.js';

const principal = rootPrincipal('w');
const key = createSecretKey(Buffer.alloc(32));
const id = { workspace: 'w', contextId: 'c' };
const hash = 'ab'.repeat(32);

const workflow = compileWorkflow(
  workflowDefinition.parse({
    id: 'feature',
    max_iterations: 1_000,
    steps: [
      { id: 'code', type: 'agent', agent: 'coder', next: 'good', recovery: 'keyed' },
      { id: 'good', type: 'condition', condition: 'context.code.good', then: 'sum', else: 'code' },
      { id: 'sum', type: 'transform', transform: 'context.code.n' },
    ],
  }),
);

describe('writes of runs', () => {
  const on = useTestStore();
  let now = Date.UTC(2026, 10, 25, 18);

  /** The part of a server process that writes. */
  const start = () => {
    const reader = new ContextReader(on.db, on.store);
    const options = { appendTimeoutMs: 10_000, now: () => now };
    return new CommandProcessor(on.store, reader, new TransformationStore(on.db), options);
  };
  const submit = (writer: CommandProcessor, command: ContextCommand, startedUnder?: string) =>
    writer.submit(
      prepareWrite({ principal, contextId: 'c', commands: [command], startedUnder }, key),
    );
  const advance = (writer: CommandProcessor, runCommand: RunCommand, startedUnder?: string) => {
    const runContext = { contextId: 'c', runId: 'r1', now, random: 0.5, epoch: 'e' };
    return submit(writer, advanceCommand(workflow, runCommand, runContext), startedUnder);
  };
  const started = async () => {
    const writer = start();
    await submit(writer, { type: 'CreateContext', data: {} });
    const definition = { definitionId: 'feature', version: 1, hash };
    await advance(writer, { type: 'start', definition, input: null, by: 'admin' });
    return writer;
  };
  const reportOf = (visit: number, token: string) => {
    const tokenHash = createHash('sha256').update(token).digest('hex');
    return {
      stepId: 'code',
      visit,
      attempt: 1,
      tokenHash,
      worker: { principal: 'admin', agent: 'coder' },
    };
  };
  const claim = (writer: CommandProcessor, visit: number, token: string) => {
    const report = reportOf(visit, token);
    return advance(writer, { ...report, type: 'claim', effectKey: hash }, report.tokenHash);
  };
  const complete = (writer: CommandProcessor, visit: number, token: string, output: object) => {
    // The tests pass only JSON objects.
    const value = output as Readonly<Record<string, number>>;
    return advance(writer, { ...reportOf(visit, token), type: 'complete', output: value });
  };
  const stored = async (from: number) =>
    (await new ContextReader(on.db, on.store).events(id, from, 100)).map(
      ({ type, principal: by }) => [type, by],
    );
  const project = async () => {
    const projector = new Projector(on.db, on.store);
    projector.start();
    await waitForProjector(projector);
    await projector.stop();
  };

  it('store a report and its consequences in one append', async () => {
    const writer = await started();
    await claim(writer, 1, 't');
    expect(await stored(2)).toEqual([
      ['RunStarted', 'admin'],
      ['StepScheduled', executor],
      ['StepAttemptStarted', 'admin'],
    ]);
    const appended = await complete(writer, 1, 't', { good: true, n: 7 });
    expect(appended).toMatchObject({ kind: 'stored' });
    expect(await stored(5)).toEqual([
      ['StepOutputAdded', 'admin'],
      ['StepRouted', executor],
      ['StepScheduled', executor],
      ['StepRouted', executor],
      ['StepScheduled', executor],
      ['StepOutputDerived', executor],
      ['StepRouted', executor],
      ['RunCompleted', executor],
    ]);
    await expect(complete(writer, 1, 't', { good: true })).rejects.toThrow(StaleAttemptError);
  });

  it('let exactly one of two executors start an attempt', async () => {
    const writer = await started();
    const others = [start(), start(), start()];
    const claims = await Promise.allSettled(
      [writer, ...others].map((each, at) => claim(each, 1, `token ${at}`)),
    );
    const refused = claims.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
    expect(refused).toHaveLength(3);
    for (const reason of refused) expect(reason).toBeInstanceOf(StaleAttemptError);
    expect(await stored(4)).toEqual([['StepAttemptStarted', 'admin']]);
  });

  it('store the start of an attempt once if it is repeated under its token', async () => {
    const writer = await started();
    await claim(writer, 1, 't');
    const first = await new ContextReader(on.db, on.store).events(id, 4, 10);
    await expect(claim(start(), 1, 't')).resolves.toMatchObject({ kind: 'nothing' });
    expect(await new ContextReader(on.db, on.store).events(id, 4, 10)).toEqual(first);
  });

  it('decide reports of several processes on the current state, and project them', async () => {
    const writers = [await started(), start()];
    for (let visit = 1; visit <= 12; visit++) {
      const [one, other] = visit % 2 === 0 ? writers : writers.toReversed();
      if (!one || !other) throw new Error('a writer is missing');
      await claim(one, visit, `t${visit}`);
      await complete(other, visit, `t${visit}`, { good: visit === 12, n: visit });
      if (visit === 5) await project();
    }
    await project();
    const reader = new ContextReader(on.db, on.store);
    const { state } = await reader.read(id, { kinds: itemKinds });
    expect(findRun(state.lookup)).toMatchObject({ status: 'completed', iterations: 25 });
    expect(state.get('step-output', 'sum')?.body).toMatchObject({ output: 12 });
  });

  it('send as many statements at visit 60 as at visit 6', async () => {
    const sent = listenToStatements(on.pool);
    const writer = await started();
    const figures: string[][] = [];
    for (let visit = 1; visit <= 60; visit++) {
      if (visit % 6 === 0) await project();
      const statements = await sent.during(async () => {
        await claim(writer, visit, `t${visit}`);
        await complete(writer, visit, `t${visit}`, { good: false });
      });
      if (visit === 6 || visit === 60) figures.push(statements.map((text) => text.slice(0, 40)));
    }
    const [sixth, sixtieth] = figures;
    expect(sixtieth).toEqual(sixth);
  });

  it('use the time of the database, not the clock of the process', async () => {
    const writer = await started();
    await claim(writer, 1, 't');
    const later = now;
    now -= 3_600_000;
    const runContext = { contextId: 'c', runId: 'r1', now: later + 5_000, random: 0, epoch: 'e' };
    const runCommand = { ...reportOf(1, 't'), type: 'complete', output: { good: false } } as const;
    await submit(writer, advanceCommand(workflow, runCommand, runContext));
    now = later;
    const reader = new ContextReader(on.db, on.store);
    const { state } = await reader.read(id, { kinds: itemKinds });
    expect(findRun(state.lookup)).toMatchObject({ activeMs: 5_000 });
  });
});
