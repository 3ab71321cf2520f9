/** Whether Docker excludes the path from the build context: the last pattern that matches it or a parent decides. */
export function ignoredBy(text: string): (path: string) => boolean {
  const patterns = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ isKept: line.startsWith('!'), pattern: toRegExp(line.replace(/^!/, '')) }));
  return (path) => {
    const tried = withParents(path);
    const last = patterns.findLast(({ pattern }) => tried.some((each) => pattern.test(each)));
    return last !== undefined && !last.isKept;
  };
}

function toRegExp(pattern: string): RegExp {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*\*\/|\*\*|\*|\?/g, (part) => wildcards[part] ?? part);
  return new RegExp(`^${source}$`);
}

const wildcards: Readonly<Record<string, string>> = {
  '**/': '(?:.*/)?',
  '**': '.*',
  '*': '[^/]*',
  '?': '[^/]',
};

function withParents(path: string): string[] {
  const parts = path.split('/');
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
}
