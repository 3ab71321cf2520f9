import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

const root = join(import.meta.dirname, '..', '..');
const limitMs = 150_000;

let scratch: string;

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'throughline-kept-demo-'));
});

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

type KeptDemo = Readonly<{
  process: ChildProcess;
  ended: Promise<unknown[]>;
  /** The output up to the link and the way to stop. */
  output: string;
  url: string;
  code: string;
}>;

type Row = Readonly<Record<string, unknown>>;
type List = Readonly<{ items: readonly Row[] }>;

/** The values of some members of each row. */
function columns(rows: readonly Row[], ...names: readonly string[]): readonly unknown[][] {
  return rows.map((row) => names.map((name) => row[name]));
}

function start(workspace: string): ChildProcess {
  const launcher = join(root, 'apps/cli/bin/throughline.mjs');
  return spawn(process.execPath, [launcher, 'demo', '--keep', workspace], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Reads the output of a demo up to a line that contains a text. */
async function readUpTo({ stdout }: ChildProcess, last: string): Promise<string> {
  if (!stdout) throw new Error('the demo has no output');
  let output = '';
  for await (const line of createInterface({ input: stdout })) {
    output += `${line}\n`;
    if (line.includes(last)) return output;
  }
  throw new Error(`the demo ended without "${last}": ${output}`);
}

async function keep(workspace: string): Promise<KeptDemo> {
  const child = start(workspace);
  const ended = once(child, 'close');
  const output = await readUpTo(child, 'Ctrl-C stops the server');
  const [, url = '', code = ''] = /(http:\S+)\/console#sign-in=(\S+)/.exec(output) ?? [];
  return { process: child, ended, output, url, code };
}

describe('npm run demo -- --keep', () => {
  let workspace: string;
  let kept: KeptDemo;

  beforeAll(async () => {
    workspace = join(scratch, 'workspace');
    kept = await keep(workspace);
  }, limitMs);

  afterAll(async () => {
    kept.process.kill('SIGTERM');
    await kept.ended;
  });

  async function get<Body = List>(path: string): Promise<Body> {
    const key = readFileSync(join(workspace, 'data/root-key'), 'utf8').trim();
    const headers = { authorization: `Bearer ${key}` };
    const answer = await fetch(`${kept.url}/v1/${path}`, { headers });
    expect([path, answer.status]).toEqual([path, 200]);
    return (await answer.json()) as Body;
  }

  const signIn = () =>
    fetch(`${kept.url}/console/session`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-throughline-console': '1',
        origin: kept.url,
      },
      body: JSON.stringify({ code: kept.code }),
    });

  it('prints a link that signs in once', async () => {
    expect(kept.output).toContain(`workspace: ${workspace}, filled with the story`);
    expect((await signIn()).status).toBe(201);
    expect((await signIn()).status).toBe(401);
  });

  it('has a context for each reason that needs a person', async () => {
    const { items } = await get('contexts?attention=any');
    const reasons = columns(items, 'contextId', 'attention').map((row) => row.flat());
    expect(reasons.toSorted()).toEqual([
      ['login-design', 'stale-decision'],
      ['login-load-test', 'tripped-breaker'],
      ['login-test-logs', 'oversized'],
      ['lost-address', 'pending-decision'],
      ['nightly-tests', 'failed-run'],
      ['release-1.1', 'approval'],
    ]);
  });

  it('has many events by several agents, with handovers and reviews', async () => {
    const { items } = await get('contexts/login-build/events?limit=500');
    const authors = new Set(columns(items, 'principal').flat());
    expect(items.length).toBeGreaterThan(80);
    expect(authors.size).toBeGreaterThan(4);
    const { handoverNotes, reviewHistory } = await get<
      Record<'handoverNotes' | 'reviewHistory', readonly Row[]>
    >('contexts/login-build?parts=handoverNotes,reviewHistory');
    expect(columns(handoverNotes, 'status')).toEqual(
      expect.arrayContaining([['open'], ['acknowledged']]),
    );
    expect(reviewHistory).toHaveLength(2);
  });

  it('has a superseded decision, and a live one that is stale because of it', async () => {
    const { items } = await get('contexts/login-design/decisions');
    const states = columns(items, 'decisionId', 'status', 'stale');
    expect(states).toEqual(
      expect.arrayContaining([
        ['DEC-001', 'superseded', false],
        ['DEC-003', 'live', true],
        ['DEC-005', 'live', false],
      ]),
    );
  });

  it('has a decision that cites a read, after which a risk was recorded', async () => {
    const path = 'contexts/login-build/decisions/DEC-001/knowledge';
    const knowledge = await get<List & { basedOn: Row; recorded: Row }>(path);
    expect(knowledge.basedOn).toMatchObject({ contextId: 'login-build' });
    expect(knowledge.recorded['seen']).toBe('no');
    expect(JSON.stringify(knowledge.items)).toContain('risk readable-codes raised');
  });

  it('has a decision whose causes lead to a review in another context', async () => {
    const { items } = await get('contexts/login-build/events?type=DecisionRecorded');
    const decision = String(items.at(-1)?.['eventId']);
    const { nodes } = await get<{ nodes: readonly Row[] }>(`events/${decision}/trace`);
    expect(columns(nodes, 'contextId', 'type', 'relation')).toContainEqual([
      'login-design',
      'ReviewRecorded',
      'ancestor',
    ]);
  });

  it('has a finished run, a failed one, and one that waits for an approval', async () => {
    const { items } = await get('runs');
    expect(columns(items, 'contextId', 'status').toSorted()).toEqual([
      ['nightly-tests', 'failed'],
      ['release-1.0', 'completed'],
      ['release-1.1', 'running'],
    ]);
    expect((await get('approvals')).items).toHaveLength(1);
    const { items: inbox } = await get('agents/product-owner/inbox?status=open');
    expect(columns(inbox, 'kind')).toContainEqual(['input-request']);
  });

  it('has a fork, agents, keys, and a policy that hides how the work was done', async () => {
    const { items: forked } = await get('contexts/login-passkeys/events');
    expect(forked[0]).toMatchObject({
      type: 'ContextForked',
      data: { source: { contextId: 'login-design' } },
    });
    expect((await get('agents')).items.length).toBeGreaterThan(5);
    expect((await get('keys')).items.length).toBeGreaterThan(1);
    const security = await get<{ stepOutputs: Row; risks: readonly Row[] }>(
      'contexts/login-build?audience=security',
    );
    expect([security.stepOutputs, security.risks.length]).toEqual([{}, 1]);
  });

  it(
    'ends on Ctrl-C, and a second run opens the same workspace and adds nothing',
    async () => {
      const before = await get('contexts');
      kept.process.kill('SIGINT');
      expect(await kept.ended).toEqual([0, null]);
      kept = await keep(workspace);
      expect(kept.output).toContain(`workspace: ${workspace}, as the last run left it`);
      expect(await get('contexts')).toEqual(before);
      expect((await signIn()).status).toBe(201);
      kept.process.kill('SIGTERM');
      expect(await kept.ended).toEqual([0, null]);
    },
    limitMs,
  );

  it('refuses a directory that it has not filled, and changes nothing in it', async () => {
    const foreign = join(scratch, 'foreign');
    mkdirSync(foreign);
    writeFileSync(join(foreign, 'mine'), 'mine');
    const child = start(foreign);
    if (!child.stderr) throw new Error('the demo has no output');
    const [complaint, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
    expect([complaint, code]).toEqual([expect.stringContaining('was not filled by this demo'), 1]);
    expect(readFileSync(join(foreign, 'mine'), 'utf8')).toBe('mine');
  });

  it(
    'removes a workspace that it could not fill completely',
    async () => {
      const partial = join(scratch, 'partial');
      const child = start(partial);
      const ended = once(child, 'close');
      await readUpTo(child, 'filling the workspace');
      child.kill('SIGINT');
      expect(await ended).toEqual([130, null]);
      expect(existsSync(partial)).toBe(false);
    },
    limitMs,
  );
});
