import { printableLine } from '../printable.js';
import { countOf, describeRate } from '../rate.js';
import { type Session } from '../session.js';
import { type ImportNote } from './import-answer.js';
import { type ImportResult } from './import-tally.js';

/** Maximum number of printed notes of a context; --json has more. */
const maxNotesShown = 50;

const kinds: Readonly<Record<string, string>> = {
  text: 'stored as text',
  'left-out': 'omitted',
  changed: 'changed',
};

/** Prints the result of an import or of a dry run. */
export function reportImports(
  { terminal, json }: Session,
  results: readonly ImportResult[],
  { dryRun, seconds }: Readonly<{ dryRun: boolean; seconds: number }>,
): void {
  if (json) return terminal.write(JSON.stringify({ dryRun, contexts: results }));
  for (const result of results) terminal.write(describe(result, dryRun));
  terminal.write(summaryOf(results, { dryRun, seconds }));
  if (dryRun) terminal.warn('this was a dry run, nothing was stored: add --apply to import');
}

/** Returns a line for each of the first notes, and the number of the others. `omitted`: number of notes that are not in the list. */
export function noteLines(notes: readonly ImportNote[], omitted: number): readonly string[] {
  const shown = notes.slice(0, maxNotesShown);
  const more = notes.length - shown.length + omitted;
  return [
    ...shown.map((note) => `  ${lineOf(note)}`),
    ...(more > 0 ? [`  and ${countOf(more, 'more note')}`] : []),
  ];
}

function describe(result: ImportResult, dryRun: boolean): string {
  const { registered, notes, notesOmitted } = result;
  const lines = [
    contextLine(result, dryRun),
    ...eventLines(result),
    ...registered.map((name) => `  ${dryRun ? 'would register' : 'registered'} ${name}`),
    ...noteLines(notes, notesOmitted),
  ];
  return lines.map(printableLine).join('\n');
}

function contextLine({ contextId, files, created, imported }: ImportResult, dryRun: boolean) {
  const source = files.length > 3 ? countOf(files.length, 'file') : files.join(', ');
  return `${contextId}: ${outcome(created, imported, dryRun)}, from ${source}`;
}

function outcome(created: boolean, imported: number, dryRun: boolean): string {
  if (imported === 0) return 'nothing new';
  const events = countOf(imported, 'event');
  if (dryRun) return `would ${created ? 'be created with' : 'get'} ${events}`;
  return `${created ? 'created with' : 'got'} ${events}`;
}

function eventLines({ events }: ImportResult): string[] {
  const counts = Object.entries(events).map(([type, count]) => `${count} ${type}`);
  return counts.length === 0 ? [] : [`  ${counts.join(', ')}`];
}

function lineOf({ document, line, pointer, kind, detail }: ImportNote): string {
  const place = pointer === '' ? '' : ` ${pointer}`;
  return `${document}:${line}${place}: ${kinds[kind] ?? kind}: ${detail}`;
}

function summaryOf(
  results: readonly ImportResult[],
  { dryRun, seconds }: Readonly<{ dryRun: boolean; seconds: number }>,
): string {
  const sum = (of: (result: ImportResult) => number) =>
    results.reduce((total, result) => total + of(result), 0);
  const events = sum(({ imported }) => imported);
  const notes = sum((result) => result.notes.length + result.notesOmitted);
  const contexts = countOf(results.length, 'context');
  const noted = notes === 0 ? '' : `, ${countOf(notes, 'note')}`;
  if (dryRun) return `${countOf(events, 'event')} of ${contexts} would be imported${noted}`;
  const skipped = sum((result) => result.skipped);
  return `imported ${countOf(events, 'event')} of ${contexts}, ${skipped} were already stored${noted}, ${describeRate(events, seconds)}`;
}
