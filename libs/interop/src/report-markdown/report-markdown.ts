import { type ContextDocument } from '../documents/context-document.js';
import {
  type ContextToWrite,
  type DocumentFormat,
  type WrittenDocuments,
} from '../documents/document-format.js';
import { requestedSection } from './requested-section.js';
import { decidedSection } from './decided-section.js';
import { doneSection } from './done-section.js';
import { figuresSection } from './figures-section.js';
import { openSection } from './open-section.js';
import { peopleSection } from './people-section.js';
import { at } from './report-lines.js';
import { inline } from './safe-markdown.js';

/**
 * A report for people: the request, decisions, work, authors, open work, and counts. It depends on the document alone.
 * Texts of others are escaped or fenced, so that they create no headings, links or HTML; long texts are shortened, with
 * a note of their length.
 */
export const reportMarkdownFormat = {
  name: 'report-markdown',
  mediaType: 'text/markdown',
  write: writeReport,
} as const satisfies DocumentFormat;

function writeReport({ document, baseline }: ContextToWrite): WrittenDocuments {
  const lines = [
    ...headLines(document),
    ...requestedSection(document),
    ...decidedSection(document),
    ...doneSection(document),
    ...peopleSection(document),
    ...openSection(document),
    ...figuresSection(document),
  ];
  const text = `${lines.join('\n')}\n`;
  return {
    documents: [{ name: `${document.contextId}-report.md`, text }],
    notCarried: [
      ...notCarried(document),
      ...(baseline === null ? [] : ['figures taken over from elsewhere']),
    ],
  };
}

function headLines(document: ContextDocument): string[] {
  const { contextId, title, status, outcome, createdBy, createdAt, workflow } = document;
  const result = typeof outcome === 'string' ? `, ${inline(outcome.replaceAll('_', ' '), 40)}` : '';
  const process =
    workflow === null
      ? []
      : [`Workflow: ${inline(workflow.definitionId)}, version ${workflow.version}`];
  const head = [
    `Context: ${inline(contextId)}`,
    `Status: ${inline(status, 40)}${result}`,
    `Created by: ${inline(createdBy ?? 'unknown', 100)}${at(createdAt)}`,
    `Last changed: ${inline(document._lastModifiedAt, 40)}`,
    ...process,
  ];
  return [`# ${inline(title ?? contextId, 200)}`, '', ...head.map((line) => `- ${line}`)];
}

function notCarried(document: ContextDocument): string[] {
  const { metadata, derived, signals, quality } = document;
  const parts = Object.entries({ metadata, derived, signals, quality });
  const filled = parts.filter(
    ([, part]) => !['{}', '[]', 'null'].includes(JSON.stringify(part ?? null)),
  );
  return ['long texts as a whole', ...filled.map(([name]) => name)];
}
