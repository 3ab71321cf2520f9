import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { edits } from './added-event/edits.js';
import { readProjectFile, root } from './project-files.js';

const program = 'test/architecture/added-event/use-event.ts';
const copied = [
  'apps/api/src',
  'libs',
  'packages',
  'package.json',
  'tsconfig.base.json',
  'tsconfig.json',
  'test/architecture/added-event',
];
const leftOut = /spec\.ts$|\/node_modules(\/|$)|\/dist(\/|$)/;

const event = { type: 'AssumptionStated', data: { text: 'Readers are online' } };
const endpoint = '/v1/contexts/{contextId}/assumptions';

const run = promisify(execFile);
const files = [...new Set(edits.map(({ file }) => file))];

describe('adding an event with a new kind of item', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'added-event-'));

  beforeAll(() => {
    for (const path of copied)
      cpSync(join(root, path), join(scratch, path), {
        recursive: true,
        filter: (source) => !leftOut.test(source),
      });
    symlinkSync(join(root, 'node_modules'), join(scratch, 'node_modules'), 'junction');
  });
  afterAll(() => rmSync(scratch, { recursive: true, force: true }));

  it('starts from sources without the event', async () => {
    expect(await useEvent(scratch)).toEqual({ isDocumented: false, isAccepted: false });
  });

  it('changes at most six production files, those of the table in CONTRIBUTING.md', () => {
    for (const { file, after, insert } of edits) {
      const parts = readFileSync(join(scratch, file), 'utf8').split(after);
      expect({ file, after, places: parts.length - 1 }).toEqual({ file, after, places: 1 });
      writeFileSync(join(scratch, file), parts.join(after + insert));
    }
    expect(files.length).toBeLessThanOrEqual(6);
    expect(files.toSorted()).toEqual(listedFiles().toSorted());
  });

  it('passes the check of types', async () => {
    expect(await typeErrorsOf(scratch)).toBe('');
  });

  it('lets clients state the event, which is decided, folded, documented, compared, searched and shown', async () => {
    const data = { assumptionId: 'made', text: 'Readers are online' };
    const entry = { ...data, agentId: 'tester', timestamp: '2026-01-01T00:00:02.000Z', version: 2 };
    expect(await useEvent(scratch)).toEqual({
      isDocumented: true,
      documentedMember: expect.objectContaining({
        type: 'array',
        description: 'Every assumption, oldest first',
      }),
      isAccepted: true,
      decided: [{ type: 'AssumptionStated', data }],
      repeated: [],
      lines: ['assumption made: Readers are online'],
      ids: [{ assumptionId: 'made' }],
      member: [entry],
      changed: [{ part: 'assumptions', key: 'made', before: null, after: entry }],
      found: { byPart: true, byOtherPart: false, byWord: true, byOtherWord: false },
      view: expect.stringMatching(/`assumption:made` by `tester`\n```\ntext: Readers are online/),
    });
  });
});

/** The files in the table of the recipe. */
function listedFiles(): string[] {
  const recipe = /\n## Adding an event\n([\s\S]*?)\n## /.exec(readProjectFile('CONTRIBUTING.md'));
  return [...(recipe?.[1] ?? '').matchAll(/^\| `((?:libs|apps)\/[^`]+)` \|/gm)].map(
    ([, path = '']) => path,
  );
}

async function typeErrorsOf(scratch: string): Promise<string> {
  const config = {
    extends: './tsconfig.json',
    compilerOptions: { incremental: false },
    include: [],
    // The libraries that the event changes. Checking the API takes three times as long, and its endpoint is run below.
    files: ['libs/shared-context/src/index.ts', 'libs/context-views/src/index.ts'],
  };
  writeFileSync(join(scratch, 'tsconfig.scratch.json'), JSON.stringify(config));
  const compiler = join(root, 'node_modules/typescript-7/bin/tsc');
  return run(process.execPath, [compiler, '-p', 'tsconfig.scratch.json', '--checkers', '1'], {
    cwd: scratch,
  }).then(
    ({ stdout }) => stdout,
    ({ stdout, message }: Readonly<{ stdout: string; message: string }>) => stdout || message,
  );
}

/** The output of a program that uses the event in the copy. */
async function useEvent(scratch: string): Promise<unknown> {
  const runner = join(root, 'test/architecture/added-event/run-program.mjs');
  const said = [JSON.stringify(event), endpoint, 'assumptions'];
  const { stdout } = await run(process.execPath, [runner, scratch, program, ...said]);
  return JSON.parse(stdout);
}
