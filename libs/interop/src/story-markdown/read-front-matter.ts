import { splitLines } from '../markdown/markdown-lines.js';
import { itemRef } from '../documents/item-ref.js';
import { bodyOf } from './prose.js';
import { takeNamed } from './read-head.js';
import { readYaml } from './read-yaml.js';
import { type StoryReading, storyItem } from './story-reading.js';

const maxLines = 500;
const maxLength = 65_536;
const fence = /^---[ \t]*[\r\n]*$/;
const end = /^(?:---|\.\.\.)[ \t]*[\r\n]*$/;

/** Takes YAML between `---` lines at the beginning. Returns its numbers of characters and lines. */
export function readFrontMatter(
  text: string,
  reading: StoryReading,
): Readonly<{ length: number; lines: number }> {
  const lines = splitLines(text.slice(0, maxLength)).slice(0, maxLines);
  const [first = '', ...rest] = lines;
  const at = fence.test(first) ? rest.findIndex((line) => end.test(line)) : -1;
  const inside = rest.slice(0, Math.max(at, 0)).join('');
  const yaml = at < 0 ? { fault: 'has no end' } : readYaml(inside);
  if ('fault' in yaml) return { length: 0, lines: 0 };
  for (const [name, value] of Object.entries(yaml.values))
    if (typeof value === 'string' || typeof value === 'number')
      takeNamed(name.toLowerCase(), String(value), reading.facts);
  const whole = lines.slice(0, at + 2).join('');
  addFrontMatter(whole, inside, reading);
  return { length: whole.length, lines: at + 2 };
}

function addFrontMatter(whole: string, inside: string, reading: StoryReading): void {
  const recordId = reading.names.take('record', 'front-matter');
  const item = itemRef('record', recordId);
  const data = { recordId, kind: 'custom', title: 'Front matter', body: bodyOf(inside) };
  const isStated = reading.state(item, { type: 'RecordAppended', data, line: 1 });
  reading.add(whole, isStated ? [storyItem, item] : [storyItem]);
}
