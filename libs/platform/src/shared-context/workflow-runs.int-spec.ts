import { type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

import { type AgentFunction } from '#application';
import { type JsonObject } from '#event-sourcing';
import {
  type TestDatabase,
  type TestServer,
  openTestDatabase,
  openTestServer,
  waitFor,
} from '#testing';

import { SharedContextModule } from './shared-context.module.js';
import { SharedContextService } from './shared-context.service.js';
import { WorkflowRunsService } from './workflow-runs.service.js';

const agent = (id: string, more: object = {}) => ({ id, type: 'agent', agent: id, ...more });

/** An error of a function with a code, and with whether a retry is useful. */
class FunctionError extends Error {
  constructor(
    message: string,
    readonly code: string,
    readonly retryable: boolean,
  ) {
    super(message);
  }
}

describe('agents that are functions of an application', () => {
  let server: TestServer;
  let database: TestDatabase;
  let app: INestApplicationContext;
  let contexts: SharedContextService;
  let runs: WorkflowRunsService;
  const stopped: string[] = [];
  const functions: Record<string, AgentFunction> = {
    plan: ({ input }) => ({ steps: [input] }),
    flaky: ({ step: { attempt } }) => {
      if (attempt < 3) throw new Error(`attempt ${attempt} went wrong`);
      return { attempt };
    },
    fatal: () => {
      throw new FunctionError('the disk is full', 'disk', false);
    },
    patient: ({ runId }, { signal }) =>
      new Promise((resolve) => {
        const stop = () => {
          stopped.push(runId);
          resolve('stopped');
        };
        signal.addEventListener('abort', stop, { once: true });
      }),
    circular: () => {
      const value: Record<string, unknown> = {};
      value['self'] = value;
      // The cast simulates an application that ignores the types.
      return value as JsonObject;
    },
    large: () => 'x'.repeat(600_000),
    echo: ({ context }) => ({ seen: Object.keys(context ?? {}) }),
  };

  beforeAll(async () => {
    server = await openTestServer();
    database = await openTestDatabase(server);
    const module = await SharedContextModule.forRoot({
      databaseUrl: database.connectionString,
      logLevel: 'error',
      functions,
    });
    app = await NestFactory.createApplicationContext(module, { logger: ['error'] });
    contexts = app.get(SharedContextService);
    runs = app.get(WorkflowRunsService);
  });

  afterAll(async () => {
    await app?.close();
    await database?.close();
    await server?.close();
  });

  const runOf = async (id: string, steps: readonly object[], more: object = {}) => {
    await runs.publish({ id, steps, ...more } as never);
    const { contextId } = await contexts.createContext();
    await runs.start(contextId, id, { input: 'dark mode' });
    return contextId;
  };
  const ended = (contextId: string) =>
    waitFor('the end of the run', () => runs.get(contextId), {
      until: (run) => run?.['endedAt'] !== null,
    });

  it('execute all steps of a run', async () => {
    const contextId = await runOf('whole', [
      agent('plan', { next: 'flaky' }),
      agent('flaky', { retry: { max_attempts: 3, delay_ms: 1 }, next: 'both' }),
      {
        id: 'both',
        type: 'parallel',
        steps: [agent('one', { agent: 'echo' }), agent('two', { agent: 'echo' })],
      },
    ]);
    expect(await ended(contextId)).toMatchObject({ status: 'completed', success: true });
    expect(await contexts.getStepOutput(contextId, 'flaky')).toEqual({ attempt: 3 });
    // Branches do not see each other's outputs.
    for (const step of ['one', 'two'])
      expect(await contexts.getStepOutput(contextId, step)).toEqual({ seen: ['plan', 'flaky'] });
  });

  it('fail their attempts by throwing', async () => {
    const contextId = await runOf('failing', [agent('fatal', { max_retries: 5 })]);
    expect(await ended(contextId)).toMatchObject({
      status: 'failed',
      failedStep: { stepId: 'fatal', attempts: 1 },
      reason: expect.stringContaining('the disk is full'),
    });
  });

  it('get an aborted signal when their time limit is reached', async () => {
    const contextId = await runOf('slow', [agent('patient', { timeout_ms: 300 })]);
    const run = await ended(contextId);
    expect(run).toMatchObject({ status: 'failed' });
    await waitFor('the end of the function', async () => stopped, {
      until: (runIds) => runIds.includes(String(run?.['runId'])),
    });
  });

  it.each([
    ['circular', 'circular'],
    ['large', 'more than 512 KiB'],
  ])('fail their attempts with an output that cannot be stored: %s', async (id, reason) => {
    const run = await ended(await runOf(`of-${id}`, [agent(id)]));
    expect(run).toMatchObject({ status: 'failed', reason: expect.stringContaining(reason) });
  });

  it('execute a long chain of steps', async () => {
    const steps = Array.from({ length: 30 }, (_, at) =>
      agent(`step-${at}`, { agent: 'plan', ...(at < 29 && { next: `step-${at + 1}` }) }),
    );
    const run = await ended(await runOf('chain', steps));
    expect(run).toMatchObject({ status: 'completed' });
  });
});
