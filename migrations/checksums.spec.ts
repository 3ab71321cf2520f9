import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const folder = import.meta.dirname;
const read = (file: string) => readFileSync(join(folder, file));
const checksums: Record<string, string> = JSON.parse(read('checksums.json').toString());
const files = readdirSync(folder)
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
  .sort();

describe('migrations', () => {
  it('are named by time and by what they do', () => {
    expect(files.filter((file) => !/^\d{8}T\d{4}_[a-z_]+\.ts$/.test(file))).toEqual([]);
  });

  it('are all listed in checksums.json, in order, and nothing else is', () => {
    expect(Object.keys(checksums)).toEqual(files);
  });

  it.each(files)('%s is what it was when it was frozen', (file) => {
    expect(createHash('sha256').update(read(file)).digest('hex')).toBe(checksums[file]);
  });
});
