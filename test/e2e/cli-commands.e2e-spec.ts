import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { runCli } from '../../apps/cli/src/main.js';
import { caughtUp } from './caught-up.js';
import { ThroughlineServer, rootKey } from './throughline-server.js';

let server: ThroughlineServer;
let directory: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'throughline-commands-'));
  server = await ThroughlineServer.shared();
}, 120_000);

afterAll(async () => {
  rmSync(directory, { recursive: true, force: true });
  await server.stop();
});

type Options = Readonly<{ input?: string; key?: string }>;

/**
 * Runs the command in this process: a separate process for each command takes a fifth of a second of processor time.
 */
async function run(args: readonly string[], { input = '', key }: Options = {}) {
  const [out, err]: [string[], string[]] = [[], []];
  const workspace = key === undefined ? ['--workspace', server.workspace] : [];
  const code = await runCli([...args, ...workspace], {
    version: '1.2.3',
    startServer: () => Promise.reject(new Error('the server runs already')),
    startProjector: () => Promise.reject(new Error('the server has a projector')),
    env: { THROUGHLINE_URL: server.url, THROUGHLINE_KEY: key ?? rootKey },
    terminal: {
      write: (line) => out.push(line),
      warn: (line) => err.push(line),
      readInput: () => Promise.resolve(input),
    },
  });
  return { code, out: out.join('\n'), err: err.join('\n') };
}

/** The output of a command that must succeed. */
async function outputOf(args: readonly string[], options?: Options): Promise<string> {
  const { code, out, err } = await run(args, options);
  expect({ args, code, err }).toEqual({ args, code: 0, err: '' });
  return out;
}

const json = async (...args: string[]) => JSON.parse(await outputOf([...args, '--json']));

/** Creates a context of this name with the root key. */
async function context(name: string): Promise<string> {
  await server.context(name);
  return name;
}

describe('the commands', () => {
  it('write everything that agents write, and list it', async () => {
    const demo = await context('said');
    expect(await outputOf(['step', 'start', demo, 'plan'])).toBe('started step plan, version 2');
    expect(await outputOf(['step', 'complete', demo, 'plan', '{"n": 1.10}'])).toContain(
      'version 3',
    );
    expect(await outputOf(['output', 'show', demo, 'plan'])).toContain('"n": 1.1');
    expect(await outputOf(['output', 'show', demo, 'other'])).toBe('step other has no output');
    await outputOf([
      'step',
      'fail',
      demo,
      'build',
      '--reason',
      'no disk',
      '--tried',
      '["npm test"]',
    ]);
    await outputOf([
      'artifact',
      'add',
      demo,
      '--type',
      'code',
      '--path',
      'src/a.ts',
      '--id',
      'A-1',
    ]);
    expect(await outputOf(['artifact', 'list', demo])).toMatch(/^A-1 +code +- +- +src\/a\.ts$/m);
    const record = ['record', 'add', demo, '-', '--kind', 'dev-record', '--id', 'REC-1'];
    expect(await outputOf([...record, '--title', 'Sign in'], { input: '# It works' })).toContain(
      'appended record REC-1',
    );
    const taken = await run(record, { input: '# It does not' });
    expect(taken.code).toBe(2);
    expect(taken.err).toContain('next: recordId is --id <record>: id of the record');
    expect(await outputOf(['record', 'list', demo])).toMatch(/^REC-1 +dev-record +admin/m);
    await outputOf(['signal', 'add', demo, 'REVIEW FAILED: s-1 - no tests']);
    expect(await outputOf(['signal', 'list', demo])).toMatch(
      /^REVIEW FAILED +s-1 +admin .*no tests$/m,
    );
    const review = ['review', 'add', demo, 'src/a.ts', '--id', 'REV-1'];
    const verdict = ['--status', 'REJECTED_WITH_FEEDBACK', '--issue', 'high: no tests', 'names'];
    expect(await outputOf([...review, ...verdict])).toContain('recorded review REV-1, version');
    expect(await outputOf(['review', 'list', demo])).toMatch(/^REV-1 +REJECTED_WITH_FEEDBACK/m);
    expect(await outputOf(['issue', 'list', demo])).toMatch(/^REV-1\.1 +high +REV-1 .*no tests$/m);
    await outputOf(['preferences', 'set', demo, '{"tone": "short"}']);
    await outputOf(['global', 'set', demo, '-'], { input: '{"constraints": ["no GPL"]}' });
    const read = await json('context', 'show', demo);
    const changed = JSON.stringify({ ...read, userPreferences: { lines: 2 } });
    expect(await outputOf(['context', 'replace', demo, '-'], { input: changed })).toMatch(
      /^wrote said back, version \d+$/,
    );
    const lost = await run(['context', 'replace', demo, '-'], { input: changed.replace('2', '3') });
    expect(lost.code).toBe(3);
    const document = await json('context', 'show', demo);
    expect(document).toMatchObject({
      userPreferences: { tone: 'short', lines: 2 },
      globalContext: { constraints: ['no GPL'] },
      failedSteps: [{ stepId: 'build', tried: ['npm test'] }],
    });
  });

  it('record, approve and reject decisions, and show the knowledge of their authors', async () => {
    const demo = await context('decided');
    await server.call('PATCH', '/v1/settings', { body: { decisionConfidenceThreshold: 0.5 } });
    for (const topic of ['store', 'queue'])
      await outputOf([
        'decision',
        'add',
        demo,
        `a ${topic}`,
        '--topic',
        topic,
        '--confidence',
        '0.1',
      ]);
    expect(await outputOf(['decision', 'approve', demo, 'DEC-001', '--reason', 'yes'])).toContain(
      'approved DEC-001, version 4',
    );
    expect(await outputOf(['decision', 'reject', demo, 'DEC-002'])).toContain('rejected DEC-002');
    const live = await outputOf(['decision', 'list', demo, '--live']);
    expect(live).toMatch(/^DEC-001 +live +false +store +admin +a store$/m);
    expect(live).not.toContain('DEC-002');
    const ada = await server.key({ role: 'agent', agentId: 'ada', workspace: server.workspace });
    await outputOf(['decision', 'add', demo, 'a third'], { key: ada });
    const knowledge = await outputOf(['decision', 'knowledge', demo, 'DEC-003']);
    expect(knowledge).toContain('DEC-003 by ada, recorded as version 6\ncites no read\n');
    expect(knowledge).toMatch(/^the author may not have read these events by others since/m);
    expect(knowledge).toMatch(/^2 +admin +DecisionRecorded +/m);
  });

  it('plan work, count loops and record blockers', async () => {
    const demo = await context('planned');
    await outputOf(['task', 'add', demo, 'Tokens', '--id', 'T-1', '--estimate', '1.5']);
    await outputOf(['task', 'start', demo, 'T-1', '--assignee', 'coder']);
    await outputOf(['task', 'block', demo, 'T-1', '--reason', 'no schema']);
    expect(await outputOf(['task', 'list', demo])).toMatch(
      /^T-1 +blocked +coder +- +1\.5 +Tokens$/m,
    );
    await outputOf(['task', 'complete', demo, 'T-1']);
    expect(await outputOf(['task', 'complete', demo, 'T-1'])).toBe('nothing to add, version 5');
    await outputOf(['phase', 'start', demo, 'design']);
    await outputOf(['phase', 'complete', demo, 'design', '--output', 'l1.md', 'l2.md']);
    expect(await outputOf(['phase', 'list', demo])).toMatch(/^design +admin .*l1\.md, l2\.md$/m);
    await outputOf(['iteration', 'start', demo, 'l1', '--max', '1']);
    expect((await run(['iteration', 'start', demo, 'l1'])).code).toBe(3);
    expect(await outputOf(['breaker', 'list', demo])).toMatch(/^l1 +tripped +1 +1$/m);
    await outputOf(['breaker', 'reset', demo, 'l1', '--max', '2']);
    await outputOf([
      'requirement',
      'add',
      demo,
      'fast',
      '--kind',
      'functional',
      '--id',
      'R-1',
      '--met',
    ]);
    expect(await outputOf(['requirement', 'list', demo])).toMatch(/^R-1 +functional +true +fast$/m);
    await outputOf(['risk', 'add', demo, 'stale reads', '--severity', 'high', '--id', 'RISK-1']);
    await outputOf(['risk', 'update', demo, 'RISK-1', '--status', 'accepted']);
    expect(await outputOf(['risk', 'list', demo])).toMatch(/^RISK-1 +high +accepted +stale reads/m);
    await outputOf(['blocker', 'add', demo, 'no sandbox', '--id', 'B-1']);
    await outputOf(['blocker', 'clear', demo, 'B-1', '--note', 'open now']);
    expect(await outputOf(['blocker', 'list', demo])).toMatch(/^B-1 +cleared +admin +no sandbox$/m);
    await outputOf(['dependency', 'add', demo, 'Redis', '--kind', 'external']);
    expect(await outputOf(['dependency', 'list', demo])).toMatch(/^Redis +external$/m);
  });

  it('hand over work, request inputs, and show the inbox of an agent', async () => {
    const demo = await context('handed');
    const key = await server.key({ role: 'agent', agentId: 'pe', workspace: server.workspace });
    await outputOf([
      'handover',
      'add',
      demo,
      'read first',
      '--to',
      'pe',
      '--id',
      'H-1',
      '--priority',
      'high',
    ]);
    await outputOf(['input', 'ask', demo, 'pe.outputs.budget', '--from', 'pe', '--id', 'IN-1']);
    await caughtUp(server);
    const inbox = await outputOf(['inbox', 'pe']);
    expect(await outputOf(['inbox'], { key })).toBe(inbox);
    expect((await run(['inbox'])).err).toContain('this key belongs to no agent');
    expect(inbox).toMatch(/^high +handover +handed +H-1 +admin +read first$/m);
    expect(inbox).toMatch(/^medium +input-request +handed +IN-1 +admin +pe\.outputs\.budget$/m);
    await outputOf(['handover', 'acknowledge', demo, 'H-1', '--note', 'seen'], { key });
    expect(await outputOf(['handover', 'list', demo])).toMatch(
      /^H-1 +high +acknowledged +admin +pe/m,
    );
    await outputOf(['input', 'provide', demo, 'IN-1', '{"euro": 5.00}'], { key });
    expect(await outputOf(['input', 'list', demo])).toMatch(
      /^IN-1 +provided +admin +pe .*\{"euro":5\}$/m,
    );
  });

  it('define agents, transformations, policies and settings', async () => {
    const demo = await context('defined');
    const definition = { name: 'John', role: 'product manager', kind: 'llm' };
    const contract = { inputs: { brief: { path: 'analyst.outputs.brief' } } };
    const register = ['agent', 'register', 'pm', '--name', 'John', '--role', 'product manager'];
    expect(await outputOf([...register, '--kind', 'llm'])).toBe('registered agent pm, version 1');
    const file = join(directory, 'pm.json');
    writeFileSync(file, JSON.stringify({ ...definition, contract }));
    expect((await run(['agent', 'register', 'pm', '--file', file])).code).toBe(2);
    expect(await outputOf(['agent', 'replace', 'pm', '--file', file])).toContain('version 2');
    expect(await outputOf(['agent', 'list'])).toMatch(/^pm +llm +John +product manager +2/m);
    expect(await outputOf(['agent', 'show', 'pm'])).toMatch(/^role +product manager$/m);
    const checked = await run(['agent', 'check', demo, 'pm']);
    expect(checked.code).toBe(1);
    expect(checked.out).toMatch(
      /^pm at version 1: 1 missing, 0 failed\nmissing {2}brief \(analyst/,
    );
    expect(await json('context', 'events', demo)).toMatchObject({
      items: [{}, { type: 'AgentInputsChecked', origin: null }],
    });
    const score = {
      trigger: { agent: 'admin' },
      sources: { n: 'admin.outputs.brief.n' },
      operation: { kind: 'score', expression: 'n * 2' },
      destinations: ['project_metadata.score'],
    };
    await outputOf(['output', 'add', demo, 's', '{"n": 3}', '--name', 'brief']);
    const set = ['transformation', 'set', 'score', JSON.stringify(score)];
    expect(await outputOf(set)).toBe('stored transformation score, version 1');
    expect(await outputOf(['transformation', 'list'])).toMatch(
      /^score +score .*metadata\.score +1$/m,
    );
    expect(await outputOf(['transformation', 'show', 'score'])).toContain('"expression": "n * 2"');
    await outputOf(['transformation', 'derive', demo, 'score']);
    const document = await outputOf(['context', 'show', demo]);
    expect(document).toMatch(/Derived values\n {2}project_metadata\.score +6 +score$/m);
    expect(document).toMatch(/Quality\n {2}inputs of pm +1 missing, 0 failed/);
    expect(document).toMatch(/Agents\n {2}admin +\S+ +- +brief$/m);
    const policy = await outputOf(['policy', 'show', 'reviewer', '--json']);
    expect(await outputOf(['policy', 'set', 'reviewer', '-'], { input: policy })).toContain(
      'the policy of reviewer is in force, version 1',
    );
    expect(await outputOf(['settings', 'set', '{"viewMaxTokens": 900}'])).toMatch(
      /^viewMaxTokens +900/m,
    );
    expect((await json('settings', 'show'))['viewMaxTokens']).toBe(900);
    expect((await run(['settings', 'set', '{"viewMaxToken": 1}'])).err).toContain('/viewMaxToken');
  });

  it('print views and prompts with receipts, which a write cites', async () => {
    const demo = await context('read');
    const events = [
      { type: 'StepOutputAdded', data: { stepId: 's', output: 'word '.repeat(2_000) } },
      { type: 'StepOutputAdded', data: { stepId: 't', output: 'done' } },
    ];
    await outputOf(['context', 'append', demo, JSON.stringify(events), '--if-match', '1']);
    const view = await run(['view', demo, '--max-tokens', '300', '--receipt']);
    expect(view.err).toMatch(/^receipt r1\.\S+\n\d+ of 300 tokens \(o200k_base\), version 3/);
    expect(view.err).toContain('--expand <ref>');
    const [, receipt = ''] = /receipt (\S+)/.exec(view.err) ?? [];
    expect(await outputOf(['receipt', receipt])).toContain(view.out);
    const { items } = await json('view', demo, '--max-tokens', '300');
    const shortened = items.find(({ form }: { form: string }) => form !== 'whole');
    expect(await outputOf(['view', demo, '--expand', shortened.ref])).toContain('word word word');
    await outputOf(['decision', 'add', demo, 'go on', '--based-on', receipt]);
    expect((await json('receipt', receipt)).citedBy).toMatchObject([{ type: 'DecisionRecorded' }]);
    const template = ['prompt', demo, 'Build {{input.what}} {{context.gone}}'];
    const prompt = await run([...template, '--input', '{"what": "a list"}']);
    expect(prompt.out).toBe('Build a list ');
    expect(prompt.err).toMatch(/version 4, audience all; no value at context\.gone$/);
    await outputOf(['context', 'close', demo]);
    expect(await outputOf(['context', 'reopen', demo])).toBe('reopened read, version 6');
  });
});
