import { type ContextDocument } from '../documents/context-document.js';
import { type NamedText } from '../documents/document-format.js';
import { gapAfter } from '../markdown/gap-after.js';
import { markdownLines } from '../markdown/markdown-lines.js';
import { divideDocument } from './adr-document.js';
import { printSection, sectionsOf } from './decision-records.js';
import { type Decision } from './written-decision.js';

type Added = Readonly<{
  decision: Decision | undefined;
  document: ContextDocument;
  /** Whether no source states the record. */
  isNew: (recordId: string) => boolean;
}>;

/**
 * The record of a decision with those texts at its end, as sections, that were recorded under the name of the decision since; the
 * text itself if it ends within a block of code, which would take them in. `printed`: the ids of these texts.
 */
export function withSections(
  { text }: NamedText,
  { decision, document, isNew }: Added,
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

/** The level of the document's first section, so that the others stay sections. */
function sectionLevel(text: string): number {
  const first = divideDocument(text).parts.find(({ kind }) => kind === 'section');
  const heading = first && markdownLines(first.text)[0]?.heading;
  return heading?.level ?? 2;
}
