import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { parseSignals } from '#shared-context';

const root = join(import.meta.dirname, '..', '..');
const data = resolve(root, process.env['THROUGHLINE_DATA'] ?? '../shared/data');
const sets = ['stories', 'revisions', 'handoffs', 'trajectories', 'work-events', 'decisions'];

/** Each text of a file at any depth; texts with JSON are parsed as well. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value, ...textsIn(jsonIn(value))];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

function jsonIn(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // Some are broken in the source, or not JSON.
    return undefined;
  }
}

function readTexts(path: string): readonly string[] {
  const content = readFileSync(path, 'utf8');
  const values = path.endsWith('.jsonl') ? content.split('\n').filter(Boolean) : [content];
  return values.flatMap((value) => textsIn(JSON.parse(value)));
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(jsonl|json|traj)$/.test(name))
    .map((name) => join(folder, name));
}

/** An unclosed code block hides the following text, as in Markdown. */
function endsInCode(text: string): boolean {
  return parseSignals(`${text}\nKICKOFF COMPLETE: probe-1`).length === 0;
}

if (existsSync(join(data, 'trajectories'))) {
  describe(`the texts of agents in ${data}`, () => {
    it.each(sets)(
      'contain no signal in %s, and each one that is appended to them is found',
      (set) => {
        const texts = [...new Set(filesIn(join(data, set)).flatMap(readTexts))];
        expect(texts.length).toBeGreaterThan(100);
        const found = texts.filter((text) => parseSignals(text).length > 0);
        expect(found).toEqual([]);
        const open = texts.filter((text) => !endsInCode(text));
        expect(open.length).toBeGreaterThan(0.98 * texts.length);
        const said = 'IMPLEMENTATION BLOCKED: story-42-1 - no schema\n\n**REVIEW PASSED: E5-S3**\n';
        for (const text of open)
          expect(parseSignals(`KICKOFF COMPLETE: s-1\n${text}\n${said}`)).toEqual([
            { signal: 'KICKOFF COMPLETE', subject: 's-1' },
            {
              signal: 'IMPLEMENTATION BLOCKED',
              subject: 'story-42-1',
              detail: { reason: 'no schema' },
            },
            { signal: 'REVIEW PASSED', subject: 'E5-S3' },
          ]);
      },
    );
  });
} else
  it(`the texts of agents are ABSENT in ${data}, so that they are not searched for signals`, () => {
    expect(existsSync(join(data, 'trajectories'))).toBe(false);
  });
