import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { findFiles, nameOf } from './find-files.js';

describe('findFiles', () => {
  let root: string;

  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'throughline-files-'));
    for (const path of [
      'b.md',
      'a/z.MD',
      'a/c.yml',
      'a/d.txt',
      '.git/x.md',
      'node_modules/m/y.md',
    ]) {
      mkdirSync(join(root, dirname(path)), { recursive: true });
      writeFileSync(join(root, path), '1');
    }
    symlinkSync(root, join(root, 'loop'));
  });
  afterAll(() => rmSync(root, { recursive: true }));

  const find = async (...paths: string[]) => {
    const files = await findFiles(
      paths.map((path) => join(root, path)),
      ['.md', '.yml'],
    );
    return files.map(({ path }) => nameOf(path, root));
  };

  it('sorts the files of folders by name, and skips hidden files, links and node_modules', async () => {
    expect(await find('.')).toEqual(['a/c.yml', 'a/z.MD', 'b.md']);
  });

  it('returns each named file once, regardless of its extension', async () => {
    expect(await find('a/d.txt', '.git/x.md', 'a', 'a/d.txt')).toEqual([
      'a/d.txt',
      '.git/x.md',
      'a/c.yml',
      'a/z.MD',
    ]);
  });

  it('returns the files that match a pattern', async () => {
    expect(await find('**/*.md')).toEqual(['b.md']);
    expect(await find('a/*')).toEqual(['a/c.yml', 'a/d.txt', 'a/z.MD']);
    expect(await find('.git/*.md')).toEqual(['.git/x.md']);
  });

  it('reports paths and patterns without files', async () => {
    await expect(find('none.md')).rejects.toThrow('does not exist');
    await expect(find('*.none')).rejects.toThrow('no file matches');
    await expect(find('.git')).resolves.toEqual(['.git/x.md']);
    await expect(find('a/d.txt', 'node_modules')).resolves.toContain('node_modules/m/y.md');
  });
});
