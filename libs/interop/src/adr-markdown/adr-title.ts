import { isVisible } from '#event-sourcing';

import { type ContextDocument } from '../documents/context-document.js';
import { entryBy } from '../documents/entry-index.js';
import { type Decision } from './written-decision.js';

const longestTitle = 80;

type Details = Readonly<Record<string, unknown>>;

/** The fields of the record with the details of a decision; empty if there is none. */
export function detailsOf({ decisionId }: Decision, { records }: ContextDocument): Details {
  return entryBy(records, 'recordId', `${decisionId}.details`)?.fields ?? {};
}

/** The recorded title of a decision, else its topic, else the beginning of its first sentence. */
export function titleOf(decision: Decision, document: ContextDocument): string {
  const { title } = detailsOf(decision, document);
  const stated = typeof title === 'string' ? title : decision.topic;
  return oneLine(stated ?? '') || beginningOf(decision.decision) || decision.decisionId;
}

function oneLine(text: string): string {
  return isVisible(text) ? text.replaceAll(/\s+/g, ' ').trim() : '';
}

/** Ends with a whole word, and contains no punctuation that ends a sentence. */
function beginningOf(text: string): string {
  const line = text.split('\n').find(isVisible)?.trim() ?? '';
  const sentence = line.slice(0, 2 * longestTitle).split(/[.:;](?:\s|$)/, 1)[0] ?? '';
  if (sentence.length <= longestTitle) return sentence.trim();
  const words = sentence.slice(0, longestTitle).replace(/\s\S*$/, '');
  return words.toWellFormed().trim();
}
