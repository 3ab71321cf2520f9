import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { skillText } from './skill-text.js';

describe('the skill', () => {
  it('is the same in the server and in the package', async () => {
    const published = join(import.meta.dirname, '../skills/throughline/SKILL.md');
    expect(skillText).toBe(await readFile(published, 'utf8'));
  });

  it('begins with its name and its purpose', () => {
    expect(skillText).toMatch(/^---\nname: throughline\ndescription: .{40,1024}\n---\n/);
  });
});
