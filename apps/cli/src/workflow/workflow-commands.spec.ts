import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { runCli } from '../main.js';

let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'throughline-cli-'));
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

async function run(args: readonly string[], input = '') {
  const out: string[] = [];
  const err: string[] = [];
  const code = await runCli(args, {
    version: '1.2.3',
    startServer: () => Promise.reject(new Error('no server is needed')),
    startProjector: () => Promise.reject(new Error('no projector is needed')),
    env: { THROUGHLINE_URL: 'http://127.0.0.1:1', THROUGHLINE_DATA_DIR: directory },
    terminal: {
      write: (line) => out.push(line),
      warn: (line) => err.push(line),
      readInput: () => Promise.resolve(input),
    },
  });
  return { code, out: out.join('\n'), err: err.join('\n') };
}

const agent = (id: string, more: object = {}) => ({ id, type: 'agent', agent: id, ...more });
const looping = { id: 'w', steps: [agent('a', { on_error: 'a' })] };

describe('workflow validate', () => {
  it('needs no server, and ends with 0 if there are no faults', async () => {
    const file = join(directory, 'good.json');
    writeFileSync(file, `{ "id": "w", /* one step */ "steps": [${JSON.stringify(agent('a'))},], }`);
    expect(await run(['workflow', 'validate', file])).toEqual({
      code: 0,
      err: '',
      out: `${file}: no errors, no warnings`,
    });
  });

  it('names the line and the column of each fault, and ends with 2', async () => {
    const text = `{\n  "id": "w",\n  "steps": [${JSON.stringify(agent('plan', { next: 'cod' }))}]\n}`;
    const { code, out, err } = await run(['workflow', 'validate', '-'], text);
    expect(code).toBe(2);
    expect(out).toBe(
      '-:3:63: error unknown-target: there is no step cod to go to\n-: 1 error, no warnings',
    );
    expect(err).toBe('throughline: - is not valid: 1 error, no warnings');
  });

  it('ends with 0 if there are only warnings, unless it is strict', async () => {
    const text = JSON.stringify(looping);
    const { code, out } = await run(['workflow', 'validate', '-'], text);
    expect(code).toBe(0);
    expect(out).toContain('warning loop-without-limit');
    expect((await run(['workflow', 'validate', '-', '--strict'], text)).code).toBe(2);
  });

  it('prints faults as JSON', async () => {
    const { code, out } = await run(['workflow', 'validate', '-', '--json'], '{"id": "w"}');
    expect(code).toBe(2);
    expect(JSON.parse(out)).toEqual({
      file: '-',
      valid: false,
      more: 0,
      faults: [
        {
          code: 'missing-member',
          severity: 'error',
          message: 'steps is required',
          pointer: '',
          line: 1,
          column: 1,
        },
      ],
    });
  });

  it('ends with 2 if there is no such file', async () => {
    const { code, err } = await run(['workflow', 'validate', join(directory, 'gone.json')]);
    expect([code, err]).toEqual([2, expect.stringContaining('cannot read')]);
  });

  it('removes control characters from the text of a definition', async () => {
    const text = JSON.stringify({ id: 'w', steps: [agent('a', { next: '\u001b[2J' })] });
    expect((await run(['workflow', 'validate', '-'], text)).out).not.toContain('\u001b');
  });
});

describe('workflow graph', () => {
  it('prints a flowchart', async () => {
    const { code, out } = await run(['workflow', 'graph', '-'], JSON.stringify(looping));
    expect(code).toBe(0);
    expect(out.split('\n')).toEqual([
      'flowchart TD',
      '  start([start])',
      '  s0["a<br>a"]',
      '  finish([end])',
      '  start --> s0',
      '  s0 -.->|"error"| s0',
      '  s0 --> finish',
    ]);
  });

  it('draws no definition with errors', async () => {
    const { code, out, err } = await run(['workflow', 'graph', '-'], '{}');
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain('-:1:1: error missing-member: id is required');
  });
});
