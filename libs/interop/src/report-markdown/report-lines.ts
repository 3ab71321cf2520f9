import { inline } from './safe-markdown.js';

/** Who stated an entry, and when. */
type Authored = Readonly<{ agentId: string | null; timestamp: string | null }>;

/** A section without entries is left out. */
export function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', title, '', ...lines];
}

export function byWhom({ agentId, timestamp }: Authored): string {
  const who = agentId === null ? '' : ` by ${inline(agentId, 100)}`;
  return `${who}${at(timestamp)}`;
}

export function at(timestamp: string | null | undefined): string {
  return timestamp ? ` (${inline(timestamp, 40)})` : '';
}

/** Words behind a label, or nothing. */
export function labelled(label: string, text: string | undefined): string {
  return text === undefined || text === '' ? '' : ` ${label}: ${inline(text)}`;
}

export function named(ids: readonly string[]): string {
  return ids.map((id) => inline(id, 100)).join(', ');
}

/** A section begins with an empty line already. */
export function trimmed(lines: readonly string[]): readonly string[] {
  return lines[0] === '' ? lines.slice(1) : lines;
}
