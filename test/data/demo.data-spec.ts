import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

import { isWhole } from './size.js';

const root = join(import.meta.dirname, '..', '..');
const data = resolve(root, process.env['THROUGHLINE_DATA'] ?? '../shared/data');
const workLog = join(data, 'work-events', 'events.jsonl');
const trails = join(data, 'handoffs', 'agent-trail.jsonl');
const demoLimitMs = 150_000;

/** Minutes of processor time: each run plays a sample, `npm run test:data` plays everything. */
const itWithAll: (title: string, test: () => Promise<void>, limitMs: number) => void = isWhole
  ? it
  : () => undefined;

/** The folder of the temporary files of a test's demos. */
let scratch: string;

beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'throughline-data-spec-'));
});

afterEach(() => rmSync(scratch, { recursive: true, force: true }));

function start(args: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcess {
  // The server may run its database as another user, who must be able to enter the folder.
  const temporary = join(scratch, 'tmp');
  mkdirSync(temporary, { recursive: true, mode: 0o755 });
  return spawn(process.execPath, [join(root, 'apps/cli/bin/throughline.mjs'), 'demo', ...args], {
    cwd: root,
    env: { ...process.env, ...env, TMPDIR: temporary },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function play(args: readonly string[], env?: Readonly<Record<string, string>>) {
  const child = start(args, env);
  if (!child.stdout || !child.stderr) throw new Error('the demo has no output');
  const [output, complaints, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { output, complaints, code, left: readdirSync(join(scratch, 'tmp')) };
}

const linesOf = (path: string): Record<string, unknown>[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

/** Writes values as JSON lines into a file that the test removes, and returns its path. */
function writeLines(name: string, values: readonly object[]): string {
  const path = join(scratch, name);
  writeFileSync(path, values.map((value) => `${JSON.stringify(value)}\n`).join(''));
  return path;
}

/** A row of the report: its name, then its counts. */
const row = (output: string, name: string) =>
  output
    .split('\n')
    .find((line) => line.startsWith(`${name} `))
    ?.slice(name.length)
    .trim();

describe('npm run demo', () => {
  it(
    'plays a feature with a conflict, a stale decision and fresh reads, and leaves no files behind',
    async () => {
      const { output, code, left } = await play([]);
      expect(code).toBe(0);
      expect(output.match(/is refused with 412: decided on version 8, .* is at 9\n/g)).toHaveLength(
        1,
      );
      expect(output).toMatch(/missed 9 DecisionRecorded by developer-(api|web): /);
      expect(output).toContain('saw DEC-002 (pending) by architect');
      expect(output).toContain('saw DEC-002 (live, stale) by architect');
      expect(output).toContain('read 25 of 25 outputs in the version just acknowledged');
      expect(output).toContain('is refused with 409: ');
      expect(left).toEqual([]);
    },
    demoLimitMs,
  );

  it.each(['--work-events', '--agent-trail'])(
    'says in one sentence that the input of %s is absent',
    async (option) => {
      const { output, complaints, code } = await play([option], { THROUGHLINE_DATA: '/nowhere' });
      expect(code).toBe(1);
      expect(output).toBe('');
      expect(complaints.replaceAll(/^throughline: bui.*\n/gm, '')).toMatch(
        /^demo: there is no input at \/nowhere\/.+: name the file, or set THROUGHLINE_DATA to the folder of the data\n$/,
      );
    },
    demoLimitMs,
  );

  it(
    'reports malformed events with file, line, chapter and event, and escapes their content',
    async () => {
      const path = join(scratch, 'trails.jsonl');
      const events = [
        { ts: 1, type: 'note', content: 'fine' },
        { ts: 2, type: 'decision', content: 'x', raw: 'no record' },
        { ts: 3, type: '\u001b[2J', content: 'x' },
      ];
      const chapters = [{ id: 'c', title: 't', agentName: 'ada', events }];
      const record = JSON.stringify({ id: 'traj_1', task: { title: 't' }, chapters });
      writeFileSync(path, `no JSON\n${JSON.stringify({ path: 'p', text: record })}\n`);
      const { output, code } = await play(['--agent-trail', path]);
      expect(code).toBe(0);
      expect(output).toContain(`${path}:1: is not JSON`);
      expect(output).toContain(`${path}:2: chapter 1, event 2 is malformed`);
      expect(output).toContain(`${path}:2: chapter 1, event 3 is malformed`);
      expect(output).not.toContain('\u001b');
      expect(row(output, 'events')).toMatch(/^3 of 3 stored completely/);
    },
    demoLimitMs,
  );

  // At the sample size, the suite of `--keep` interrupts a demo.
  itWithAll(
    'stops its server and removes its data when it is interrupted',
    async () => {
      const path = join(scratch, 'events.jsonl');
      const event = { issue_id: 'a', actor: 'ada', event_type: 'created', created_at: '' };
      const absent = { old_value: null, new_value: null, comment: null };
      const lines = Array.from({ length: 5000 }, (_, id) => ({ ...event, ...absent, id }));
      writeFileSync(path, lines.map((line) => JSON.stringify(line)).join('\n'));
      writeFileSync(
        join(scratch, 'issues-final.jsonl'),
        JSON.stringify({ id: 'a', title: 'a', status: 'open' }),
      );
      const demo = start(['--work-events', path]);
      if (!demo.stdout) throw new Error('the demo has no output');
      const ended = once(demo, 'close');
      for await (const line of createInterface({ input: demo.stdout }))
        if (line.includes('500 of 5,000 events stored')) demo.kill('SIGINT');
      expect(await ended).toEqual([130, null]);
      expect(readdirSync(join(scratch, 'tmp'))).toEqual([]);
    },
    demoLimitMs,
  );
});

if (existsSync(workLog)) {
  describe(`the real work log in ${data}`, () => {
    it(
      'is replayed unchanged: each 25th item with all of its events',
      async () => {
        const items = linesOf(join(dirname(workLog), 'issues-final.jsonl'));
        const some = items.filter((_, at) => at % 25 === 0);
        const ids = new Set(some.map(({ id }) => id));
        const events = linesOf(workLog).filter((event) => ids.has(event['issue_id']));
        const path = writeLines('events.jsonl', events);
        writeLines('issues-final.jsonl', some);
        const { output, code, left } = await play(['--work-events', path]);
        expect(events.length).toBeGreaterThan(30);
        expect(row(output, 'stored')).toMatch(
          `${events.length} of ${events.length} events, complete and in the order of the log`,
        );
        expect(row(output, 'mismatched')).toBe('0');
        expect(row(output, 'lost')).toMatch(/^0 of [1-9]/);
        expect([code, left]).toEqual([0, []]);
      },
      demoLimitMs,
    );

    itWithAll(
      'is replayed by 27 concurrent actors: all events are stored, and each status is as recorded',
      async () => {
        const { output, code, left } = await play(['--work-events', workLog]);
        expect(output).toMatch(/2,126 events of 27 actors over 341 items\n/);
        expect(output).toContain('325 of the 325 items with status events (322 if');
        expect(row(output, 'stored')).toMatch(
          /^2,126 of 2,126 events, complete and in the order of the log/,
        );
        expect(row(output, 'matched')).toBe('325 of 325 items, against issues-final.jsonl');
        expect(row(output, 'mismatched')).toBe('0');
        expect(row(output, 'no status events')).toMatch(/^16 items, of which 16 agree/);
        expect(row(output, 'lost')).toMatch(/^0 of [1-9]/);
        // If the actor of an item changes, the next actor writes on an outdated copy.
        expect(row(output, 'conflicts retried')).toMatch(/^[1-9]\d*, each with the missed events/);
        expect(row(output, 'appends per second')).toMatch(/^[1-9]/);
        expect(code).toBe(0);
        expect(left).toEqual([]);
      },
      demoLimitMs,
    );
  });
} else {
  describe(`the real work log, ABSENT in ${data}: it is not replayed here`, () => {
    it('is refused with its name', async () => {
      const { complaints, code } = await play(['--work-events', workLog]);
      expect(code).toBe(1);
      expect(complaints).toContain(`there is no input at ${workLog}`);
    });
  });
}

if (existsSync(trails)) {
  describe(`the real agent trails in ${data}`, () => {
    it(
      'are played unchanged: each 40th of them',
      async () => {
        const some = linesOf(trails).filter((_, at) => at % 40 === 0);
        const path = writeLines('trails.jsonl', some);
        const { output, code, left } = await play(['--agent-trail', path]);
        const [, trailCount = '', events = '', decisions = ''] =
          /^(\d+) trails with ([\d,]+) events, (\d+) of them decisions$/m.exec(output) ?? [];
        expect(Number(trailCount)).toBe(some.length);
        expect(row(output, 'contexts')).toBe(`${some.length}, one for each trail`);
        expect(row(output, 'decisions')).toMatch(`${decisions} of ${decisions} stored`);
        expect(row(output, 'events')).toMatch(`${events} of ${events} stored completely`);
        expect(row(output, 'lost')).toMatch(/^0 of [1-9]/);
        expect([code, left]).toEqual([0, []]);
      },
      demoLimitMs,
    );

    itWithAll(
      'are all played: 354 contexts, 651 decisions, and the incomplete ones reported by line',
      async () => {
        const { output, code, left } = await play(['--agent-trail', trails]);
        expect(output).toMatch(/^354 trails with 1,681 events, 651 of them decisions$/m);
        expect(output).toContain(
          `${trails}:214: chapter 1, event 5 is a decision without reasoning`,
        );
        expect(output).toMatch(/^malformed or incomplete: 10, all listed above$/m);
        expect(row(output, 'contexts')).toBe('354, one for each trail');
        expect(row(output, 'decisions')).toMatch(/^651 of 651 stored/);
        expect(row(output, 'events')).toMatch(/^1,681 of 1,681 stored completely/);
        expect(row(output, 'failures')).toBe('87 of 87 stored');
        expect(row(output, 'retrospectives')).toBe('308 of 308 stored');
        expect(row(output, 'lost')).toMatch(/^0 of [1-9]/);
        expect(code).toBe(0);
        expect(left).toEqual([]);
      },
      demoLimitMs,
    );
  });
} else {
  describe(`the real agent trails, ABSENT in ${data}: they are not played here`, () => {
    it('are refused with their name', async () => {
      const { complaints, code } = await play(['--agent-trail', trails]);
      expect(code).toBe(1);
      expect(complaints).toContain(`there is no input at ${trails}`);
    });
  });
}
