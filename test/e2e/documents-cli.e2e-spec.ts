import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { ThroughlineServer } from './throughline-server.js';
import { throughlineOn } from './throughline-on.js';

const story = `# Story 1.2: Add a toggle

## Status
Draft

## Acceptance Criteria
1. It toggles
2. It stays

## Tasks / Subtasks
- [ ] Task 1: Build it (AC: 1)
- [ ] Task 2: Keep it

## Odd section
Something else.
`;

const gate = `schema: 1
story: "1.2"
gate: CONCERNS
status_reason: "It flickers"
reviewer: "Quinn"
`;

const adr = (number: number, title: string) =>
  `# ${number}. ${title}\n\n## Status\n\nAccepted\n\n## Context\n\nWe need it.\n\n## Decision\n\nWe take it.\n`;

describe('documents at the command line', () => {
  let server: ThroughlineServer;
  let directory: string;

  const run = (...args: string[]) => throughlineOn(server, args, {}, directory);
  const write = async (files: Record<string, string>) => {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(directory, name)), { recursive: true });
      await writeFile(join(directory, name), text);
    }
  };
  const read = (name: string) => readFile(join(directory, name), 'utf8');
  const versionOf = async (contextId: string) =>
    (await server.get(`/v1/contexts/${contextId}/verify`)).body.events;

  beforeAll(async () => {
    server = await ThroughlineServer.shared();
    directory = await mkdtemp(join(tmpdir(), 'throughline-documents-'));
    await write({
      'docs/stories/1.2.story.md': story,
      'docs/qa/gates/1.2-add-a-toggle.yml': gate,
      'docs/qa/gates/9.9-none.yml': gate,
      'docs/adr/0001-use-it.md': adr(1, 'Use it'),
      'docs/adr/0002-keep-it.md': adr(2, 'Keep it'),
    });
  });
  afterAll(async () => {
    await server.stop();
    await rm(directory, { recursive: true });
  });

  it('previews a story and its gate, then imports them, and exports them again', async () => {
    const args = ['import', 'docs/stories', 'docs/qa/**/*.yml', '--format', 'story-markdown'];
    const preview = await run(...args);
    expect(preview).toMatchObject({
      code: 0,
      err: expect.stringContaining('9.9-none.yml: no story'),
    });
    expect(preview.out).toMatch(/^story-1\.2-add-a-toggle: would be created with \d+ events/);
    expect(preview.err).toContain('add --apply');
    expect(await versionOf('story-1.2-add-a-toggle')).toBeUndefined();

    const applied = await run(...args, '--apply', '--json');
    expect(JSON.parse(applied.out)).toMatchObject({
      dryRun: false,
      contexts: [
        {
          contextId: 'story-1.2-add-a-toggle',
          created: true,
          files: ['docs/stories/1.2.story.md', 'docs/qa/gates/1.2-add-a-toggle.yml'],
          events: { ContextCreated: 1, TaskPlanned: 2 },
        },
      ],
    });
    const version = await versionOf('story-1.2-add-a-toggle');
    expect((await run(...args, '--apply')).out).toContain('nothing new');
    expect(await versionOf('story-1.2-add-a-toggle')).toBe(version);

    const exportArgs = ['export', 'story-1.2-add-a-toggle', '--format', 'story-markdown'];
    expect(await run(...exportArgs)).toMatchObject({
      code: 2,
      err: expect.stringContaining('2 documents: docs/stories/1.2.story.md'),
    });
    expect(await run(...exportArgs, '--out', 'back')).toMatchObject({ code: 0 });
    expect(await read('back/docs/stories/1.2.story.md')).toBe(story);
    expect(await read('back/docs/qa/gates/1.2-add-a-toggle.yml')).toBe(gate);
    expect(await run(...exportArgs, '--out', 'back')).toMatchObject({ code: 2 });
    const singleDocument = await run(...exportArgs, '--document', 'docs/stories/1.2.story.md');
    // `run` trims the output.
    expect(singleDocument.out).toBe(story.trim());
  });

  it('imports a folder of decision records as one context', async () => {
    const applied = await run('import', 'docs/adr', '--format', 'adr-markdown', '--apply');
    expect(applied).toMatchObject({ code: 0, out: expect.stringMatching(/^adr: created with /) });
    await run('export', 'adr', '--format', 'adr-markdown', '--out', 'records/');
    expect(await read('records/0002-keep-it.md')).toBe(adr(2, 'Keep it'));
  });

  it('imports nothing if one file is refused, and names the file', async () => {
    await write({ 'runs/a.jsonl': '{"role":"user","content":"x"}\n', 'runs/b.jsonl': '{]\n' });
    const refused = await run('import', 'runs', '--format', 'trajectory-jsonl', '--apply');
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('runs/b.jsonl:1') });
    expect(refused.err).toContain('nothing was imported');
    expect(await versionOf('a')).toBeUndefined();
    await write({ 'other/a.jsonl': '{"role":"user","content":"y"}\n' });
    const both = ['runs/a.jsonl', 'other/a.jsonl', '--format', 'trajectory-jsonl', '--apply'];
    expect(await run('import', ...both)).toMatchObject({
      code: 2,
      err: expect.stringContaining('as runs/a.jsonl'),
    });
    const unknown = await run('import', 'docs/adr/0001-use-it.md');
    expect(unknown).toMatchObject({ code: 2, err: expect.stringContaining('adr-markdown') });
  });

  it('imports a log in portions into one context', async () => {
    const content = 'x'.repeat(20_000);
    const lines = Array.from({ length: 250 }, (_, n) =>
      JSON.stringify({ role: n % 2 === 0 ? 'user' : 'assistant', content: `${n} ${content}` }),
    );
    await write({ 'long.jsonl': `${lines.join('\n')}\n` });
    const applied = await run(
      'import',
      'long.jsonl',
      '--format',
      'trajectory-jsonl',
      '--apply',
      '--json',
    );
    const [context] = JSON.parse(applied.out).contexts;
    expect(context.events.ContextCreated).toBe(1);
    expect(context.version).toBe(await versionOf(context.contextId));
    expect(context.imported).toBe(context.version);
    const again = await run(
      'import',
      'long.jsonl',
      '--format',
      'trajectory-jsonl',
      '--apply',
      '--json',
    );
    expect(JSON.parse(again.out).contexts[0].imported).toBe(0);
  });

  it('imports the history of a file by its authors, once', async () => {
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.email=j@example.org', ...args], {
        cwd: join(directory, 'repository'),
        stdio: 'pipe',
      });
    const commit = (author: string, time: string) => {
      git('add', '.');
      git('-c', `user.name=${author}`, 'commit', '--quiet', '-m', 'change', '--date', time);
    };
    const file = 'repository/1.3.story.md';
    const first = story.replace('1.2', '1.3');
    await write({ [file]: first });
    git('init', '--quiet');
    commit('Jane Doe', '2026-01-01T10:00:00Z');
    await write({ [file]: first.replace('- [ ] Task 1', '- [x] Task 1') });
    commit('Bob', '2026-01-02T10:00:00Z');
    const args = ['import', file, '--format', 'story-markdown', '--git'];
    const preview = await run(...args);
    expect(preview.out).toMatch(
      /would get 2 revisions .*0 imported before\n {2}\w{12} .* Jane Doe\n/,
    );
    expect(await run(...args, '--apply')).toMatchObject({ code: 0 });
    const { body } = await server.get('/v1/contexts/story-1.3-add-a-toggle/events?limit=500');
    const origins = body.items.map(
      ({ type, origin }: { type: string; origin: object }) => [type, origin] as const,
    );
    expect(origins).toContainEqual([
      'TaskCompleted',
      { agentId: 'Bob', timestamp: '2026-01-02T10:00:00+00:00' },
    ]);
    expect(origins).toContainEqual([
      'ContextCreated',
      { agentId: 'Jane Doe', timestamp: '2026-01-01T10:00:00+00:00' },
    ]);
    const again = await run(...args, '--apply');
    expect(again).toMatchObject({ code: 0, err: expect.stringContaining('0 revisions') });
    expect(await versionOf('story-1.3-add-a-toggle')).toBe(body.items.length);
  });

  it('exports several contexts of events, and imports some with new ids', async () => {
    for (const id of ['one', 'two', 'three']) await server.context(id);
    await run('export', 'two', 'one', '--out', 'events.jsonl');
    const renamed = await run('import', 'events.jsonl', '--rename', 'one=uno', '--json');
    expect(JSON.parse(renamed.out)).toMatchObject({ contexts: 2, imported: 1, skipped: 1 });
    expect(await versionOf('uno')).toBe(1);
    expect(await run('import', 'events.jsonl', '--rename', 'three=tres')).toMatchObject({
      code: 2,
      err: expect.stringContaining('no context "three"'),
    });
  });
});
