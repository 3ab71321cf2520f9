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

/** In this process: one of its own for each command takes a fifth of a second of processor time. */
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

/** What a command prints that must work. */
async function say(args: readonly string[], options?: Options): Promise<string> {
  const { code, out, err } = await run(args, options);
  expect({ args, code, err }).toEqual({ args, code: 0, err: '' });
  return out;
}

const json = async (...args: string[]) => JSON.parse(await say([...args, '--json']));

/** A context of this name, with the root key. */
async function context(name: string): Promise<string> {
  await server.context(name);
  return name;
}

describe('the commands', () => {
  it('write what agents have to say, and list it', async () => {
    const demo = await context('said');
    expect(await say(['step', 'start', demo, 'plan'])).toBe('started step plan, version 2');
    expect(await say(['step', 'complete', demo, 'plan', '{"n": 1.10}'])).toContain('version 3');
    expect(await say(['output', 'show', demo, 'plan'])).toContain('"n": 1.1');
    expect(await say(['output', 'show', demo, 'other'])).toBe('step other has no output');
    await say(['step', 'fail', demo, 'build', '--reason', 'no disk', '--tried', '["npm test"]']);
    await say(['artifact', 'add', demo, '--type', 'code', '--path', 'src/a.ts', '--id', 'A-1']);
    expect(await say(['artifact', 'list', demo])).toMatch(/^A-1 +code +- +- +src\/a\.ts$/m);
    const record = ['record', 'add', demo, '-', '--kind', 'dev-record', '--id', 'REC-1'];
    expect(await say([...record, '--title', 'Sign in'], { input: '# It works' })).toContain(
      'appended record REC-1',
    );
    const taken = await run(record, { input: '# It does not' });
    expect(taken.code).toBe(2);
    expect(taken.err).toContain('next: recordId is --id <record>: id of the record');
    expect(await say(['record', 'list', demo])).toMatch(/^REC-1 +dev-record +admin/m);
    await say(['signal', 'add', demo, 'REVIEW FAILED: s-1 - no tests']);
    expect(await say(['signal', 'list', demo])).toMatch(/^REVIEW FAILED +s-1 +admin .*no tests$/m);
    const review = ['review', 'add', demo, 'src/a.ts', '--id', 'REV-1'];
    const verdict = ['--status', 'REJECTED_WITH_FEEDBACK', '--issue', 'high: no tests', 'names'];
    expect(await say([...review, ...verdict])).toContain('recorded review REV-1, version');
    expect(await say(['review', 'list', demo])).toMatch(/^REV-1 +REJECTED_WITH_FEEDBACK/m);
    expect(await say(['issue', 'list', demo])).toMatch(/^REV-1\.1 +high +REV-1 .*no tests$/m);
    await say(['preferences', 'set', demo, '{"tone": "short"}']);
    await say(['global', 'set', demo, '-'], { input: '{"constraints": ["no GPL"]}' });
    const read = await json('context', 'show', demo);
    const changed = JSON.stringify({ ...read, userPreferences: { lines: 2 } });
    expect(await say(['context', 'replace', demo, '-'], { input: changed })).toMatch(
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

  it('record, approve and reject decisions, and show what their authors knew', async () => {
    const demo = await context('decided');
    await server.call('PATCH', '/v1/settings', { body: { decisionConfidenceThreshold: 0.5 } });
    for (const topic of ['store', 'queue'])
      await say(['decision', 'add', demo, `a ${topic}`, '--topic', topic, '--confidence', '0.1']);
    expect(await say(['decision', 'approve', demo, 'DEC-001', '--reason', 'yes'])).toContain(
      'approved DEC-001, version 4',
    );
    expect(await say(['decision', 'reject', demo, 'DEC-002'])).toContain('rejected DEC-002');
    const live = await say(['decision', 'list', demo, '--live']);
    expect(live).toMatch(/^DEC-001 +live +false +store +admin +a store$/m);
    expect(live).not.toContain('DEC-002');
    const ada = await server.key({ role: 'agent', agentId: 'ada', workspace: server.workspace });
    await say(['decision', 'add', demo, 'a third'], { key: ada });
    const knowledge = await say(['decision', 'knowledge', demo, 'DEC-003']);
    expect(knowledge).toContain('DEC-003 by ada, recorded as version 6\ncites no read\n');
    expect(knowledge).toMatch(/^the author may not have read these events by others since/m);
    expect(knowledge).toMatch(/^2 +admin +DecisionRecorded +/m);
  });

  it('plan, count loops and keep what is in the way', async () => {
    const demo = await context('planned');
    await say(['task', 'add', demo, 'Tokens', '--id', 'T-1', '--estimate', '1.5']);
    await say(['task', 'start', demo, 'T-1', '--assignee', 'coder']);
    await say(['task', 'block', demo, 'T-1', '--reason', 'no schema']);
    expect(await say(['task', 'list', demo])).toMatch(/^T-1 +blocked +coder +- +1\.5 +Tokens$/m);
    await say(['task', 'complete', demo, 'T-1']);
    expect(await say(['task', 'complete', demo, 'T-1'])).toBe('nothing to add, version 5');
    await say(['phase', 'start', demo, 'design']);
    await say(['phase', 'complete', demo, 'design', '--output', 'l1.md', 'l2.md']);
    expect(await say(['phase', 'list', demo])).toMatch(/^design +admin .*l1\.md, l2\.md$/m);
    await say(['iteration', 'start', demo, 'l1', '--max', '1']);
    expect((await run(['iteration', 'start', demo, 'l1'])).code).toBe(3);
    expect(await say(['breaker', 'list', demo])).toMatch(/^l1 +tripped +1 +1$/m);
    await say(['breaker', 'reset', demo, 'l1', '--max', '2']);
    await say(['requirement', 'add', demo, 'fast', '--kind', 'functional', '--id', 'R-1', '--met']);
    expect(await say(['requirement', 'list', demo])).toMatch(/^R-1 +functional +true +fast$/m);
    await say(['risk', 'add', demo, 'stale reads', '--severity', 'high', '--id', 'RISK-1']);
    await say(['risk', 'update', demo, 'RISK-1', '--status', 'accepted']);
    expect(await say(['risk', 'list', demo])).toMatch(/^RISK-1 +high +accepted +stale reads/m);
    await say(['blocker', 'add', demo, 'no sandbox', '--id', 'B-1']);
    await say(['blocker', 'clear', demo, 'B-1', '--note', 'open now']);
    expect(await say(['blocker', 'list', demo])).toMatch(/^B-1 +cleared +admin +no sandbox$/m);
    await say(['dependency', 'add', demo, 'Redis', '--kind', 'external']);
    expect(await say(['dependency', 'list', demo])).toMatch(/^Redis +external$/m);
  });

  it('hand work over, ask for input, and show the inbox of an agent', async () => {
    const demo = await context('handed');
    const key = await server.key({ role: 'agent', agentId: 'pe', workspace: server.workspace });
    await say([
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
    await say(['input', 'ask', demo, 'pe.outputs.budget', '--from', 'pe', '--id', 'IN-1']);
    await caughtUp(server);
    const inbox = await say(['inbox', 'pe']);
    expect(await say(['inbox'], { key })).toBe(inbox);
    expect((await run(['inbox'])).err).toContain('this key belongs to no agent');
    expect(inbox).toMatch(/^high +handover +handed +H-1 +admin +read first$/m);
    expect(inbox).toMatch(/^medium +input-request +handed +IN-1 +admin +pe\.outputs\.budget$/m);
    await say(['handover', 'acknowledge', demo, 'H-1', '--note', 'seen'], { key });
    expect(await say(['handover', 'list', demo])).toMatch(/^H-1 +high +acknowledged +admin +pe/m);
    await say(['input', 'provide', demo, 'IN-1', '{"euro": 5.00}'], { key });
    expect(await say(['input', 'list', demo])).toMatch(
      /^IN-1 +provided +admin +pe .*\{"euro":5\}$/m,
    );
  });

  it('define agents, transformations, policies and settings', async () => {
    const demo = await context('defined');
    const definition = { name: 'John', role: 'product manager', kind: 'llm' };
    const contract = { inputs: { brief: { path: 'analyst.outputs.brief' } } };
    const register = ['agent', 'register', 'pm', '--name', 'John', '--role', 'product manager'];
    expect(await say([...register, '--kind', 'llm'])).toBe('registered agent pm, version 1');
    const file = join(directory, 'pm.json');
    writeFileSync(file, JSON.stringify({ ...definition, contract }));
    expect((await run(['agent', 'register', 'pm', '--file', file])).code).toBe(2);
    expect(await say(['agent', 'replace', 'pm', '--file', file])).toContain('version 2');
    expect(await say(['agent', 'list'])).toMatch(/^pm +llm +John +product manager +2/m);
    expect(await say(['agent', 'show', 'pm'])).toMatch(/^role +product manager$/m);
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
    await say(['output', 'add', demo, 's', '{"n": 3}', '--name', 'brief']);
    const set = ['transformation', 'set', 'score', JSON.stringify(score)];
    expect(await say(set)).toBe('stored transformation score, version 1');
    expect(await say(['transformation', 'list'])).toMatch(/^score +score .*metadata\.score +1$/m);
    expect(await say(['transformation', 'show', 'score'])).toContain('"expression": "n * 2"');
    await say(['transformation', 'derive', demo, 'score']);
    const shown = await say(['context', 'show', demo]);
    expect(shown).toMatch(/Derived values\n {2}project_metadata\.score +6 +score$/m);
    expect(shown).toMatch(/Quality\n {2}inputs of pm +1 missing, 0 failed/);
    expect(shown).toMatch(/Agents\n {2}admin +\S+ +- +brief$/m);
    const policy = await say(['policy', 'show', 'reviewer', '--json']);
    expect(await say(['policy', 'set', 'reviewer', '-'], { input: policy })).toContain(
      'the policy of reviewer is in force, version 1',
    );
    expect(await say(['settings', 'set', '{"viewMaxTokens": 900}'])).toMatch(
      /^viewMaxTokens +900/m,
    );
    expect((await json('settings', 'show'))['viewMaxTokens']).toBe(900);
    expect((await run(['settings', 'set', '{"viewMaxToken": 1}'])).err).toContain('/viewMaxToken');
  });

  it('print what agents read, with its receipt, which a write cites', async () => {
    const demo = await context('read');
    const events = [
      { type: 'StepOutputAdded', data: { stepId: 's', output: 'word '.repeat(2_000) } },
      { type: 'StepOutputAdded', data: { stepId: 't', output: 'done' } },
    ];
    await say(['context', 'append', demo, JSON.stringify(events), '--if-match', '1']);
    const view = await run(['view', demo, '--max-tokens', '300', '--receipt']);
    expect(view.err).toMatch(/^receipt r1\.\S+\n\d+ of 300 tokens \(o200k_base\), version 3/);
    expect(view.err).toContain('--expand <ref>');
    const [, receipt = ''] = /receipt (\S+)/.exec(view.err) ?? [];
    expect(await say(['receipt', receipt])).toContain(view.out);
    const { items } = await json('view', demo, '--max-tokens', '300');
    const shortened = items.find(({ form }: { form: string }) => form !== 'whole');
    expect(await say(['view', demo, '--expand', shortened.ref])).toContain('word word word');
    await say(['decision', 'add', demo, 'go on', '--based-on', receipt]);
    expect((await json('receipt', receipt)).citedBy).toMatchObject([{ type: 'DecisionRecorded' }]);
    const template = ['prompt', demo, 'Build {{input.what}} {{context.gone}}'];
    const prompt = await run([...template, '--input', '{"what": "a list"}']);
    expect(prompt.out).toBe('Build a list ');
    expect(prompt.err).toMatch(/version 4, audience all; no value at context\.gone$/);
    await say(['context', 'close', demo]);
    expect(await say(['context', 'reopen', demo])).toBe('reopened read, version 6');
  });
});
