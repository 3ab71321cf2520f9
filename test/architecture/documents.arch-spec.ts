import { dirname, join } from 'node:path';

import { type DecisionRecords, faultsOfRecords } from './decision-records.js';
import { listProjectFiles, readProjectFile } from './project-files.js';

const files = new Set(listProjectFiles());
const pages = [...files].filter(
  (path) =>
    /^(README|CONTRIBUTING|CHANGELOG)\.md$|^docs\/.*\.md$/.test(path) &&
    !path.includes('/samples/'),
);

describe('the documentation', () => {
  it('lists every page in its map, docs/README.md', () => {
    const map = readProjectFile('docs/README.md');
    const unmapped = pages
      .filter((path) => /^docs\/[^/]+\.md$/.test(path) && path !== 'docs/README.md')
      .filter((path) => !map.includes(`](${path.slice('docs/'.length)})`));
    expect(pages.length).toBeGreaterThan(40);
    expect(unmapped).toEqual([]);
  });

  it.each(pages)('%s links to existing pages and headings only', (page) => {
    const links = [...withoutCode(readProjectFile(page)).matchAll(/\]\(([^)\s]+)\)/g)];
    const broken = links
      .map(([, link = '']) => link)
      .filter((link) => !/^[a-z]+:/.test(link) && !leadsSomewhere(page, link));
    expect(broken).toEqual([]);
  });
});

describe('the decision records', () => {
  const folder = 'docs/adr/';
  const names = [...files].filter((path) => /^docs\/adr\/\d{4}-.*\.md$/.test(path));
  const all: DecisionRecords = {
    records: new Map(names.map((path) => [path.slice(folder.length), readProjectFile(path)])),
    index: readProjectFile(`${folder}README.md`),
  };

  it('have a status, three sections, a row in the index and links to existing records', () => {
    expect(all.records.size).toBeGreaterThan(60);
    expect(faultsOfRecords(all)).toEqual([]);
  });

  it.each([
    [
      'a record without a status',
      /^Status: .*$/m,
      '',
      ['has no title with a number, or no status'],
    ],
    [
      'a record without a date',
      / \(decided .*\)/,
      '',
      ['has no title with a number, or no status'],
    ],
    ['a record without a section', '\n## Context\n', '\n', ['has no section Context']],
    [
      'a record that another one supersedes which does not exist',
      'Status: accepted',
      'Status: superseded by [ADR 9999](9999-none.md)',
      ['names 9999-none.md, which does not exist', 'has no row with its status in the index'],
    ],
    ['a record with another title than the index', /^# 1\. /, '# 1. Not ', ['has no row']],
    [
      'a record that amends another one without being named there',
      '\n\n## Context',
      '\n\nAmends: [ADR 0002](0002-global-order.md)\n\n## Context',
      ['amends 0002-global-order.md, whose status does not name it'],
    ],
    [
      'a record that another one changes without stating it',
      'Status: accepted',
      'Status: amended by [ADR 0002](0002-global-order.md)',
      ['has no row', 'is changed by 0002-global-order.md, which does not state it'],
    ],
  ])('are refused for %s', (_title, text, replacement, faults) => {
    const name = '0001-envelope-and-chain-above-the-port.md';
    const planted = (all.records.get(name) ?? '').replace(text, replacement);
    const found = faultsOfRecords({ ...all, records: new Map(all.records).set(name, planted) });
    expect(found).toEqual(faults.map((fault) => expect.stringContaining(`${name} ${fault}`)));
  });

  it('are refused if a record is not in the index', () => {
    const index = all.index.replace(/^\| \[2\]\(.*$\n/m, '');
    expect(faultsOfRecords({ ...all, index })).toEqual([
      '0002-global-order.md has no row with its status in the index',
    ]);
  });
});

function leadsSomewhere(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : join(dirname(page), path);
  const isFolder = [...files].some((file) => file.startsWith(`${target.replace(/\/$/, '')}/`));
  if (!files.has(target)) return isFolder && anchor === undefined;
  return anchor === undefined || !target.endsWith('.md') || anchorsIn(target).includes(anchor);
}

/** Anchors as GitHub generates them; repeated headings are numbered. */
function anchorsIn(page: string): string[] {
  const counts = new Map<string, number>();
  const headings = withoutCode(readProjectFile(page)).matchAll(/^#{1,6} (.+)$/gm);
  return [...headings].map(([, heading = '']) => {
    const anchor = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-');
    const count = counts.get(anchor) ?? 0;
    counts.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  });
}

function withoutCode(text: string): string {
  return text.replace(/^(```|~~~)[\s\S]*?^\1/gm, '');
}
