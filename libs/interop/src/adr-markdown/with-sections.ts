import { type ContextDocument } from '../documents/context-document.js';
import { type NamedText } from '../documents/document-format.js';
import { gapAfter } from '../markdown/gap-after.js';
import { markdownLines } from '../markdown/markdown-lines.js';
import { divideDocument } from './adr-document.js';
import { printSection, sectionsOf } from './decision-records.js';
import { type Decision } from './written-decision.js';

type SectionOptions = Readonly<{
  decision: Decision | undefined;
  document: ContextDocument;
  /** Whether no source contains the record. */
  isNew: (recordId: string) => boolean;
}>;

/**
 * Adds sections at the end of the record of a decision, for texts that were recorded under its name after the import.
 * Returns the text unchanged if it ends within a block of code, which would contain them. `printed`: the ids of the
 * added texts.
 */
export function withSections(
  { text }: NamedText,
  { decision, document, isNew }: SectionOptions,
): Readonly<{ text: string; printed: readonly string[] }> {
  const all = decision === undefined ? [] : sectionsOf(decision, document);
  const added = all.filter(({ recordId }) => isNew(recordId));
  if (!decision || added.length === 0 || !endsOutsideOfCode(text)) return { text, printed: [] };
  const eol = /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
  const marks = '#'.repeat(sectionLevel(text));
  const sections = added.map((record) => printSection(record, { decision, document, marks }));
  const end = `${sections.join('\n\n')}\n`.replaceAll('\n', eol);
  return { text: text + gapAfter(text, eol) + end, printed: added.map((one) => one.recordId) };
}

function endsOutsideOfCode(text: string): boolean {
  return markdownLines(`${text}\n\n# end`).at(-1)?.heading !== undefined;
}

/** The level of the first section of the document, so that the others are sections too. */
function sectionLevel(text: string): number {
  const first = divideDocument(text).parts.find(({ kind }) => kind === 'section');
  const heading = first && markdownLines(first.text)[0]?.heading;
  return heading?.level ?? 2;
}
