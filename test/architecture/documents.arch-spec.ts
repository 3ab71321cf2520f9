import { dirname, join } from 'node:path';

import { listProjectFiles, readProjectFile } from './project-files.js';

const files = new Set(listProjectFiles());
const pages = [...files].filter(
  (path) => /^(README|CONTRIBUTING)\.md$|^docs\/.*\.md$/.test(path) && !path.includes('/samples/'),
);

describe('the documentation', () => {
  it('has every page on its map, docs/README.md', () => {
    const map = readProjectFile('docs/README.md');
    const unmapped = pages
      .filter((path) => /^docs\/[^/]+\.md$/.test(path) && path !== 'docs/README.md')
      .filter((path) => !map.includes(`](${path.slice('docs/'.length)})`));
    expect(pages.length).toBeGreaterThan(40);
    expect(unmapped).toEqual([]);
  });

  it.each(pages)('%s leads to pages and headings that exist', (page) => {
    const links = [...withoutCode(readProjectFile(page)).matchAll(/\]\(([^)\s]+)\)/g)];
    const broken = links
      .map(([, link = '']) => link)
      .filter((link) => !/^[a-z]+:/.test(link) && !leadsSomewhere(page, link));
    expect(broken).toEqual([]);
  });
});

function leadsSomewhere(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : join(dirname(page), path);
  const isFolder = [...files].some((file) => file.startsWith(`${target.replace(/\/$/, '')}/`));
  if (!files.has(target)) return isFolder && anchor === undefined;
  return anchor === undefined || !target.endsWith('.md') || anchorsIn(target).includes(anchor);
}

/** As GitHub makes them; repeated headings are numbered. */
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
