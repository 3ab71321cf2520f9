import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from './child-processes.mjs';

/** The rows of docs/security.md: the attack, its suite, and the title of the test as it is written in the source. */
export function readSecurityTable() {
  const [, , ...rows] = readFileSync(join(root, 'docs', 'security.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('|'));
  return rows.map((line) => {
    const [attack, suite, title] = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    return { attack, suite: suite.replaceAll('`', ''), title };
  });
}
