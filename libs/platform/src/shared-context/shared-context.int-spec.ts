import { type INestApplicationContext } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { NestFactory } from '@nestjs/core';
import { z } from 'zod';

import {
  CreateKeyCommand,
  ListContextsQuery,
  ListStepOutputsQuery,
  type Principal,
  WriteContextCommand,
  rootPrincipal,
} from '#application';
import { type JsonObject } from '#event-sourcing';
import { ContextNotFoundError, parseSignals } from '#shared-context';
import { type TestDatabase, type TestServer, openTestDatabase, openTestServer } from '#testing';

import { SharedContextModule } from './shared-context.module.js';
import { SharedContextService } from './shared-context.service.js';

describe('SharedContextService', () => {
  let server: TestServer;
  let database: TestDatabase;
  let app: INestApplicationContext;
  let contexts: SharedContextService;

  beforeAll(async () => {
    server = await openTestServer();
    database = await openTestDatabase(server);
    const module = await SharedContextModule.forRoot({
      databaseUrl: database.connectionString,
      logLevel: 'error',
    });
    app = await NestFactory.createApplicationContext(module, { logger: ['error'] });
    contexts = app.get(SharedContextService);
  });

  afterAll(async () => {
    await app?.close();
    await database?.close();
    await server?.close();
  });

  it('reads its own writes, with the type of the schema', async () => {
    const { contextId, version } = await contexts.createContext({ title: 'Login' });
    expect(version).toBe(1);
    const architect = contexts.asAgent('architect');
    await architect.addStepOutput(contextId, 'design', { files: ['a.ts'] }, { name: 'plan' });
    const schema = z.object({ files: z.array(z.string()) });
    await expect(contexts.getStepOutput(contextId, 'design', { schema })).resolves.toEqual({
      files: ['a.ts'],
    });
    await expect(contexts.getStepOutput(contextId, 'build')).resolves.toBeNull();
    await expect(contexts.getContext(contextId)).resolves.toMatchObject({
      title: 'Login',
      stepOutputs: { design: { files: ['a.ts'] } },
      agents: {
        architect: { status: 'completed', outputs: { plan: { stepId: 'design', version: 2 } } },
      },
      _version: 2,
      _lastModifiedBy: 'architect',
    });
  });

  it('reads only for the given audiences', async () => {
    const { contextId } = await contexts.createContext({ title: 'Login' });
    await contexts.addStepOutput(contextId, 'build', 'hidden');
    await contexts.recordDecision(contextId, { decision: 'jose', alternativesConsidered: ['own'] });
    const reviewer = contexts.asAgent('rita').forAudience('reviewer', 'developer');
    const visible = await reviewer.getContext(contextId);
    expect(visible).toMatchObject({ stepOutputs: {}, decisionHistory: [{ decision: 'jose' }] });
    expect(JSON.stringify(visible)).not.toContain('own');
    await expect(reviewer.getStepOutput(contextId, 'build')).resolves.toBeNull();
    const { items } = await reviewer.listEvents(contextId);
    expect(items.map(({ type }) => type)).toEqual(['ContextCreated', 'DecisionRecorded']);
    const { outputsAdded } = await reviewer.compareContext(contextId, { from: '0' });
    expect(outputsAdded).toEqual([]);
    const wider = await reviewer.getContext(contextId, { audience: 'developer' });
    expect(JSON.stringify(wider)).toContain('own');
    await expect(reviewer.getContext(contextId, { audience: 'all' })).rejects.toMatchObject({
      code: 'not-found',
    });
    const outdated = reviewer.addStepOutput(contextId, 's', 1, { ifMatch: 1 });
    await expect(outdated).rejects.toMatchObject({ missed: [{ type: 'DecisionRecorded' }] });
  });

  it('returns null for an unknown context and refuses to write to it', async () => {
    await expect(contexts.getContext('nowhere')).resolves.toBeNull();
    await expect(contexts.addStepOutput('nowhere', 's', 1)).rejects.toBeInstanceOf(
      ContextNotFoundError,
    );
  });

  it('lets exactly one of two writers with the same expected version win, and returns the missed events to the other', async () => {
    const { contextId } = await contexts.createContext();
    const writes = ['a', 'b'].map((agent) =>
      contexts.asAgent(agent).addStepOutput(contextId, 's', agent, { ifMatch: 1 }),
    );
    const results = await Promise.allSettled(writes);
    const [refused] = results.flatMap((result) =>
      result.status === 'rejected' ? [result.reason] : [],
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(refused).toMatchObject({
      code: 'version-conflict',
      expectedVersion: 1,
      currentVersion: 2,
      missed: [{ type: 'StepOutputAdded', version: 2 }],
    });
  });

  it('assigns one version to each of many concurrent writers of a context', async () => {
    const { contextId } = await contexts.createContext();
    const writes = Array.from({ length: 200 }, (_, n) =>
      contexts.addStepOutput(contextId, `step-${n}`, n),
    );
    const versions = (await Promise.all(writes)).map(({ version }) => version);
    expect(versions.toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 200 }, (_, n) => n + 2),
    );
  });

  it('returns the first answer for equal idempotency keys, immediately and later, and refuses another body', async () => {
    const { contextId } = await contexts.createContext();
    const write = (output: string) =>
      contexts.addStepOutput(contextId, 's', output, { idempotencyKey: 'k' });
    const [first, ...rest] = await Promise.all(Array.from({ length: 10 }, () => write('once')));
    for (const answer of rest) expect(answer).toEqual(first);
    for (let n = 0; n < 20; n++) await contexts.addStepOutput(contextId, 'other', n);
    await expect(write('once')).resolves.toEqual(first);
    await expect(write('twice')).rejects.toMatchObject({ code: 'idempotency-key-reused' });
  });

  it('stores all events of a batch or none', async () => {
    const { contextId } = await contexts.createContext();
    const refused = contexts.appendEvents(contextId, [
      { type: 'DecisionRecorded', data: { decision: 'use X', topic: 'db' } },
      { type: 'DecisionRecorded', data: { decision: 'use Y', topic: 'db' } },
    ]);
    await expect(refused).rejects.toMatchObject({ code: 'decision-topic-taken' });
    await expect(contexts.listEvents(contextId)).resolves.toMatchObject({
      items: [{ version: 1 }],
    });
    const stored = await contexts.appendEvents(contextId, [
      { type: 'DecisionRecorded', data: { decision: 'use X', topic: 'db' } },
      { type: 'DecisionRecorded', data: { decision: 'use Y', topic: 'db', supersedes: 'DEC-001' } },
    ]);
    expect(stored.events).toMatchObject([
      { decisionId: 'DEC-001', version: 2 },
      { decisionId: 'DEC-002', version: 3 },
    ]);
  });

  it('stores the signals in the text of an agent', async () => {
    const { contextId } = await contexts.createContext();
    const signals = parseSignals('Done.\n\n**REVIEW PASSED WITH FIXES: s-1 - Fixed 2 issues**');
    const events = signals.map((data) => ({ type: 'SignalEmitted' as const, data }));
    await contexts.asAgent('murat').appendEvents(contextId, events);
    const document = await contexts.getContext(contextId);
    expect(document?.['signals']).toMatchObject([
      { signal: 'REVIEW PASSED WITH FIXES', detail: { fixes: 2 }, agentId: 'murat', version: 2 },
    ]);
  });

  it('refuses writes of an agent in the name of another one', async () => {
    const { contextId } = await contexts.createContext();
    const note = { handoverId: 'h', from: 'ada', to: 'bob', note: 'n' };
    const review = { artifact: 'a.md', reviewer: 'ada', status: 'APPROVED' as const };
    const eve = contexts.asAgent('eve');
    const noting = { type: 'HandoverNoted' as const, data: note };
    for (const event of [noting, { type: 'ReviewRecorded' as const, data: review }])
      await expect(eve.appendEvents(contextId, [event])).rejects.toMatchObject({
        code: 'forbidden',
      });
    await contexts.asAgent('ada').appendEvents(contextId, [noting]);
    const acknowledging = { type: 'HandoverAcknowledged' as const, data: { handoverId: 'h' } };
    const acknowledge = (agentId: string) =>
      contexts.asAgent(agentId).appendEvents(contextId, [acknowledging]);
    await expect(acknowledge('eve')).rejects.toMatchObject({ code: 'forbidden' });
    await expect(acknowledge('bob')).resolves.toMatchObject({ version: 3 });
  });

  it('refuses blank required texts and ids that are not valid in paths', async () => {
    await expect(contexts.createContext({ contextId: '..' })).rejects.toMatchObject({
      issues: [{ pointer: '/contextId' }],
    });
    const { contextId } = await contexts.createContext();
    await expect(contexts.recordDecision(contextId, { decision: ' ' })).rejects.toMatchObject({
      code: 'validation-failed',
      issues: [{ pointer: '/decision' }],
    });
    const note = { type: 'HandoverNoted', data: { to: 'a', note: '\t' } } as const;
    await expect(contexts.appendEvents(contextId, [note])).rejects.toMatchObject({
      issues: [{ pointer: '/events/0/data/note' }],
    });
  });

  it('replaces a document by events for the difference', async () => {
    const { contextId } = await contexts.createContext({
      preferences: { verbosity: 'high', depth: 'expert' },
    });
    const document = await contexts.getContext(contextId);
    const changed = {
      ...document,
      userPreferences: { verbosity: 'low' },
      stepOutputs: { one: [1] },
    };
    const answer = await contexts.updateContext(contextId, changed, { ifMatch: 1 });
    expect(answer.events.map(({ type }) => type).toSorted()).toEqual([
      'PreferencesSet',
      'StepOutputAdded',
    ]);
    await expect(contexts.getContext(contextId)).resolves.toMatchObject({
      userPreferences: { verbosity: 'low' },
      stepOutputs: { one: [1] },
    });
  });

  it('returns a context at a version and at a time', async () => {
    const { contextId } = await contexts.createContext({ preferences: { a: 1 } });
    await contexts.setPreferences(contextId, { a: 2 });
    await expect(contexts.compareContext(contextId, { from: '0', to: '1' })).resolves.toMatchObject(
      {
        created: { status: 'open' },
      },
    );
    const { items } = await contexts.listEvents(contextId);
    await contexts.setPreferences(contextId, { a: null, b: 3 });
    await expect(contexts.getContext(contextId, { asOf: '1' })).resolves.toMatchObject({
      userPreferences: { a: 1 },
      _version: 1,
    });
    await expect(
      contexts.getContext(contextId, { asOf: String(items[1]?.['recordedAt']) }),
    ).resolves.toMatchObject({ _version: expect.any(Number) });
    await expect(contexts.getContext(contextId, { asOf: '9' })).rejects.toMatchObject({
      code: 'invalid-position',
    });
    await expect(
      contexts.getContext(contextId, { asOf: '2000-01-01T00:00:00Z' }),
    ).resolves.toBeNull();
  });

  it('waits for the first output of a step', async () => {
    const { contextId } = await contexts.createContext();
    const waiting = contexts.getStepOutput(contextId, 'slow', { waitSeconds: 20 });
    await contexts.addStepOutput(contextId, 'other', 1);
    await contexts.addStepOutput(contextId, 'slow', 'done');
    await expect(waiting).resolves.toBe('done');
  });

  it('returns every acknowledged write in current reads and in histories while the projector runs', async () => {
    const { contextId } = await contexts.createContext();
    for (let n = 1; n <= 60; n++) {
      const { version } = await contexts.addStepOutput(contextId, 's', n);
      const [now, outputs] = await Promise.all([
        contexts.getContext(contextId, { asOf: '2999-01-01T00:00:00Z' }),
        app.get(QueryBus).execute(
          new ListStepOutputsQuery({
            principal: rootPrincipal('default'),
            contextId,
            stepId: 's',
            limit: 500,
          }),
        ),
      ]);
      expect(now?.['_version']).toBe(version);
      expect(outputs.page.items).toHaveLength(n);
    }
  });

  it('creates one context per idempotency key, independent of the id that is sent with it', async () => {
    const create = (contextId: string) =>
      contexts.createContext({ contextId }, { idempotencyKey: 'one' });
    const results = await Promise.allSettled(['x', 'y'].map((id) => writeAs('shared-path', id)));
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'idempotency-key-reused' },
    });
    await expect(create('z')).resolves.toMatchObject({ contextId: 'z', version: 1 });
  });

  it('reports a known idempotency key and a closed context before a change that is not expressible', async () => {
    const { contextId } = await contexts.createContext({ title: 'Before' });
    const replace = (document: JsonObject, idempotencyKey?: string) =>
      contexts.updateContext(contextId, document, {
        ifMatch: 1,
        ...(idempotencyKey ? { idempotencyKey } : {}),
      });
    await expect(replace({ title: 'After' })).rejects.toMatchObject({ code: 'not-expressible' });
    const stored = await replace({ userPreferences: { a: 1 } }, 'k');
    await expect(replace({ userPreferences: { a: 1 } }, 'k')).resolves.toEqual(stored);
    await expect(replace({ title: 'After' }, 'k')).rejects.toMatchObject({
      code: 'idempotency-key-reused',
    });
    const { version } = await contexts.closeContext(contextId);
    await expect(
      contexts.updateContext(contextId, { title: 'After' }, { ifMatch: version }),
    ).rejects.toMatchObject({ code: 'context-closed' });
  });

  it('closes a context with an outcome and returns the open items', async () => {
    const { contextId } = await contexts.createContext();
    await contexts.startStep(contextId, 'build');
    const close = (outcome: 'failed' | 'completed') =>
      contexts.closeContext(contextId, { outcome, idempotencyKey: outcome });
    const closed = await close('failed');
    expect(closed).toMatchObject({ version: 3, open: [{ kind: 'step', ref: 'step:build' }] });
    await expect(close('failed')).resolves.toEqual(closed);
    await expect(close('completed')).rejects.toMatchObject({ code: 'context-closed' });
  });

  it('lets a limited key create only contexts and keys within its limits', async () => {
    const limited: Principal = {
      ...rootPrincipal('default'),
      name: 'limited',
      isRoot: false,
      contexts: ['mine'],
      workflows: null,
    };
    const create = (contextId: string, data: { parent?: string } = {}) =>
      app.get(CommandBus).execute(
        new WriteContextCommand({
          principal: limited,
          contextId,
          commands: [{ type: 'CreateContext', data }],
        }),
      );
    await expect(create('other')).rejects.toMatchObject({ code: 'forbidden' });
    const early = create('child', { parent: 'mine' });
    await expect(early).rejects.toMatchObject({ issues: [{ pointer: '/parent' }] });
    await expect(create('mine')).resolves.toMatchObject({ version: 1 });
    await expect(create('child', { parent: 'mine' })).resolves.toMatchObject({ version: 1 });
    const makeKey = (grant: object) =>
      app.get(CommandBus).execute(new CreateKeyCommand(limited, { role: 'agent', ...grant }));
    await expect(makeKey({})).rejects.toMatchObject({ code: 'forbidden' });
    await expect(makeKey({ contexts: ['mine'] })).resolves.toMatchObject({ contexts: ['mine'] });
  });

  it('lists only public fields for a key without the audience all, and nothing for an undefined audience', async () => {
    await contexts.createContext({ title: 'Hidden' });
    const list = (audiences: string[]) =>
      app.get(QueryBus).execute(
        new ListContextsQuery({
          principal: { ...rootPrincipal('default'), audiences },
          limit: 5,
        }),
      );
    expect((await list(['nobody'])).page.items).toEqual([]);
    const [listed = {}] = (await list(['reviewer'])).page.items;
    expect(listed).toMatchObject({ title: 'Hidden', updatedBy: null, phase: null, bytes: null });
    expect(Object.keys(listed)).toEqual(Object.keys((await list(['all'])).page.items[0] ?? {}));
    expect((await list(['all'])).page.items).not.toEqual([]);
  });

  it('writes nothing after the signal of the caller is aborted', async () => {
    const { contextId } = await contexts.createContext();
    const aborted = contexts.addStepOutput(contextId, 's', 1, {
      signal: AbortSignal.abort(new Error('gone')),
    });
    await expect(aborted).rejects.toThrow('gone');
    await expect(contexts.getStepOutput(contextId, 's')).resolves.toBeNull();
  });

  it('refuses a creation with an expected version other than 0', async () => {
    await expect(contexts.createContext({}, { ifMatch: 5 })).rejects.toMatchObject({
      code: 'version-conflict',
      currentVersion: 0,
      missed: [],
    });
  });

  function writeAs(key: string, contextId: string) {
    const idempotency = { key, method: 'POST', path: '/v1/contexts', body: contextId };
    return app.get(CommandBus).execute(
      new WriteContextCommand({
        principal: rootPrincipal('default'),
        contextId,
        commands: [{ type: 'CreateContext', data: {} }],
        idempotency,
      }),
    );
  }
});
