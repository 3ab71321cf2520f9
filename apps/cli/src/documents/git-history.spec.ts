import { execFileSync } from 'node:child_process';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { readGitBlob, readGitHistory } from './git-history.js';

describe('readGitHistory', () => {
  let root: string;
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Jané Doe', '-c', 'user.email=j@example.org', ...args], {
      cwd: root,
      stdio: 'pipe',
    });
  const commit = (time: string) => {
    git('add', '.');
    git('commit', '--quiet', '-m', 'change', '--date', time);
  };

  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'throughline-git-'));
    git('init', '--quiet');
  });
  afterAll(() => rmSync(root, { recursive: true }));

  it('lists revisions oldest first, follows renames, and omits revisions without changes', async () => {
    writeFileSync(join(root, ':(top) *.md'), 'one\n');
    writeFileSync(join(root, 'other.md'), 'x');
    commit('2026-01-01T10:00:00+02:00');
    renameSync(join(root, ':(top) *.md'), join(root, 'story.md'));
    commit('2026-01-02T10:00:00Z');
    writeFileSync(join(root, 'story.md'), 'one\r\ntwo');
    commit('2026-01-03T10:00:00Z');
    rmSync(join(root, 'story.md'));
    commit('2026-01-04T10:00:00Z');
    writeFileSync(join(root, 'story.md'), 'one\n');
    commit('2026-01-05T10:00:00Z');
    const path = join(root, 'story.md');
    const revisions = await readGitHistory(path);
    const texts = await Promise.all(revisions.map((revision) => readGitBlob(path, revision)));
    expect(texts.map(String)).toEqual(['one\n', 'one\r\ntwo', 'one\n']);
    expect(revisions[0]).toMatchObject({ author: 'Jané Doe', time: '2026-01-01T10:00:00+02:00' });
  });

  it('reports a file without a commit or outside a repository', async () => {
    writeFileSync(join(root, 'new.md'), '');
    await expect(readGitHistory(join(root, 'new.md'))).rejects.toThrow('is in no commit');
    const outside = mkdtempSync(join(tmpdir(), 'throughline-git-'));
    await expect(readGitHistory(join(outside, 'new.md'))).rejects.toThrow('git: fatal');
    rmSync(outside, { recursive: true });
  });
});
