import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { commandsOf } from './docs/console-page.js';
import { proveHttpPage } from './docs/http-page.js';
import { throughlineOn } from './throughline-on.js';
import { ThroughlineServer } from './throughline-server.js';

const page = 'consistency-check.md';

let server: ThroughlineServer;

beforeAll(async () => {
  server = await ThroughlineServer.shared();
}, 120_000);

afterAll(() => server.stop());

const run = (...args: readonly string[]) => throughlineOn(server, args);

describe('the page on checks in a pipeline', () => {
  it('shows the real answers and outputs', async () => {
    await proveHttpPage(page, server);
    const text = await readFile(join(import.meta.dirname, '..', '..', 'docs', page), 'utf8');
    const commands = commandsOf(text);
    expect(commands).toHaveLength(3);
    for (const { text: command, expected } of commands) {
      const { code, out, err } = await run(...command.split(' ').slice(1));
      const printed = code === 0 ? out : `${out}\n${err}\n(exit code ${code})`;
      expect([command, ...printed.split('\n')]).toEqual([command, ...expected]);
    }
  }, 120_000);

  it('lists every code of the API documentation', async () => {
    const text = await readFile(join(import.meta.dirname, '..', '..', 'docs', page), 'utf8');
    const { body } = await server.get('/openapi.json', { key: null });
    const { schema } =
      body.paths['/v1/contexts/{contextId}/check'].get.responses['200'].content['application/json'];
    const codes: string[] = schema.properties.findings.items.properties.code.enum;
    expect(codes.length).toBeGreaterThan(10);
    expect(codes.filter((code) => !text.includes(`\`${code}\``))).toEqual([]);
  });
});

describe('a check', () => {
  it('of an empty context finds no error', async () => {
    await server.context('bare');
    const { status, body, headers } = await server.get('/v1/contexts/bare/check');
    expect([status, headers['etag']]).toEqual([200, '"1"']);
    expect(body).toMatchObject({ contextId: 'bare', version: 1, ok: true });
    expect((await run('check', 'bare')).code).toBe(0);
    expect((await run('check', 'bare', '--strict')).code).toBe(1);
  });

  it('finds every kind of fault, and none once all are corrected', async () => {
    const path = await server.context('wrong');
    for (let iteration = 1; iteration <= 3; iteration++)
      await server.post(`${path}/iterations`, { subject: 'design_l1' });
    expect((await server.post(`${path}/iterations`, { subject: 'design_l1' })).status).toBe(409);
    const events = [
      {
        type: 'HandoverNoted',
        data: { handoverId: 'h', to: 'pe', priority: 'critical', note: 'n' },
      },
      { type: 'StepOutputAdded', data: { stepId: 'plan', output: 1, artifactIds: ['spec'] } },
      {
        type: 'DecisionRecorded',
        data: {
          decision: 'd',
          relatedRequirements: ['R-1'],
          relatedDecisions: [{ decisionId: 'DEC-009', relation: 'requires' }],
        },
      },
      {
        type: 'ReviewRecorded',
        data: {
          reviewId: 'r-1',
          artifact: 'l1.md',
          iteration: 2,
          status: 'BLOCKED',
          keyIssues: [{ issueId: 'i', severity: 'critical', text: 't' }],
        },
      },
      { type: 'PhaseCompleted', data: { phase: 'l1_design', outputs: ['l1.md'] } },
    ];
    expect((await server.post(`${path}/events`, { events })).status).toBe(201);
    const codes = async () => {
      const { body } = await server.get(`${path}/check?require=title,tasks`);
      const errors = body.findings.filter(
        ({ severity }: { severity: string }) => severity === 'error',
      );
      return errors.map(({ code, ref }: { code: string; ref: string }) => `${code} ${ref}`);
    };
    expect(await codes()).toEqual([
      'part-missing part:title',
      'part-missing part:tasks',
      'artifact-missing step:plan',
      'decision-missing decision:DEC-001',
      'requirement-missing decision:DEC-001',
      'circuit-open loop:design_l1',
      'handover-unacknowledged handover:h',
      'issue-unaddressed issue:i',
      'phase-rejected phase:l1_design',
    ]);
    expect((await run('check', 'wrong', '--require', 'title', 'tasks')).code).toBe(1);
    await server.post(`${path}/circuit-breakers/design_l1/reset`, { reason: 'looked at it' });
    const corrections = [
      { type: 'HandoverAcknowledged', data: { handoverId: 'h' } },
      { type: 'ArtifactReferenced', data: { artifactId: 'spec', artifactType: 'doc', path: 'p' } },
      {
        type: 'RequirementRecorded',
        data: { requirementId: 'R-1', kind: 'functional', text: 't' },
      },
      { type: 'DecisionRecorded', data: { decisionId: 'DEC-009', decision: 'd' } },
      {
        type: 'ReviewRecorded',
        data: {
          reviewId: 'r-2',
          artifact: 'l1.md',
          iteration: 3,
          status: 'APPROVED',
          addresses: ['i'],
        },
      },
      { type: 'TaskPlanned', data: { taskId: 't', title: 't' } },
    ];
    expect((await server.post(`${path}/events`, { events: corrections })).status).toBe(201);
    expect(await codes()).toEqual(['part-missing part:title']);
  });

  it('prints the JSON of the API with --json, with the same exit code', async () => {
    const path = await server.context('broken');
    const danglingOutput = { stepId: 'plan', output: 1, artifactIds: ['lost'] };
    await server.post(`${path}/step-outputs`, danglingOutput);
    const { text } = await server.get(`${path}/check`);
    const { code, out } = await run('check', 'broken', '--json');
    expect([code, JSON.parse(out)]).toEqual([1, JSON.parse(text)]);
    const missing = { code: 'artifact-missing', severity: 'error', ref: 'step:plan' };
    expect(JSON.parse(out).findings[0]).toMatchObject(missing);
  });

  it('prints control characters and line breaks of stored text on one line', async () => {
    const path = await server.context('hostile');
    await server.post(`${path}/step-outputs`, {
      stepId: 's',
      output: 1,
      artifactIds: ['x'],
    });
    const decision = { decision: 'd', relatedRequirements: ['R-1\n::error::injected \u001b[31m'] };
    await server.post(`${path}/decisions`, decision);
    const { out } = await run('check', 'hostile');
    expect(out.split('\n')).toHaveLength(4);
    expect(out).not.toContain('\u001b');
  });

  it('may be of a past version', async () => {
    const path = await server.context('mended');
    const output = { stepId: 'plan', output: 1 };
    await server.post(`${path}/step-outputs`, { ...output, artifactIds: ['lost'] });
    await server.post(`${path}/step-outputs`, output);
    const earlier = await server.get(`${path}/check?asOf=2`);
    expect([earlier.body.version, earlier.body.ok]).toEqual([2, false]);
    expect((await server.get(`${path}/check`)).body).toMatchObject({ version: 3, ok: true });
    expect((await server.get(`${path}/check?asOf=9`)).body.type).toBe('/problems/invalid-position');
  });

  it('reveals no hidden content to a narrower audience', async () => {
    const path = await server.context('gated');
    await server.post(`${path}/steps/build/fail`, { reason: 'tests are red' });
    const all = await server.get(`${path}/check`);
    expect(all.body.findings).toContainEqual(expect.objectContaining({ ref: 'step:build' }));
    const { status, text } = await server.get(`${path}/check?audience=reviewer`);
    expect(status).toBe(200);
    expect(text).not.toContain('build');
  });

  it.each(['?require=', '?require=a,,b', '?asOf=soon', '?requires=a'])(
    'refuses the query %s',
    async (query) => {
      await server.context('asked');
      expect((await server.get(`/v1/contexts/asked/check${query}`)).status).toBe(422);
    },
  );

  it('of a context that does not exist ends with exit code 4', async () => {
    expect((await run('check', 'nowhere')).code).toBe(4);
  });
});
