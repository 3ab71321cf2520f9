import { inline } from './safe-markdown.js';

/** The author and the time of an entry. */
type Authorship = Readonly<{ agentId: string | null; timestamp: string | null }>;

/** A section; empty if it has no entries. */
export function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', title, '', ...lines];
}

export function byWhom({ agentId, timestamp }: Authorship): string {
  const who = agentId === null ? '' : ` by ${inline(agentId, 100)}`;
  return `${who}${at(timestamp)}`;
}

export function at(timestamp: string | null | undefined): string {
  return timestamp ? ` (${inline(timestamp, 40)})` : '';
}

/** A text after a label; empty if there is no text. */
export function labelled(label: string, text: string | undefined): string {
  return text === undefined || text === '' ? '' : ` ${label}: ${inline(text)}`;
}

export function named(ids: readonly string[]): string {
  return ids.map((id) => inline(id, 100)).join(', ');
}

/** Removes the empty line at the beginning, because the section begins with one. */
export function trimmed(lines: readonly string[]): readonly string[] {
  return lines[0] === '' ? lines.slice(1) : lines;
}
