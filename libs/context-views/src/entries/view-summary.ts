import { type Item, summaryFacts } from '#shared-context';

import { refOf, rollupRef } from './item-ref.js';
import { codeSpan, fenced, displayText } from './quoted-text.js';

/** A summary by a model of the versions up to `to`, as views show it. */
export type ViewSummary = Readonly<{ ref: string; to: number; text: string }>;

/** The summary that covers the most versions. It includes everything that earlier ones cover. */
export function newestSummary(items: readonly Item[]): ViewSummary | undefined {
  const summaries = items.map((item) => ({ item, facts: summaryFacts(item) }));
  const [newest] = summaries.sort(
    (left, right) =>
      right.facts.covers.to - left.facts.covers.to || right.facts.version - left.facts.version,
  );
  if (!newest) return undefined;
  const { text, covers, model } = newest.facts;
  const ref = refOf(newest.item);
  const first = Math.max(covers.from, 1);
  const originals = rollupRef(first, Math.max(covers.to, first));
  const heading = `v${first} to v${covers.to} ${codeSpan(ref)}, summarized by ${codeSpan(model)}, originals ${originals}`;
  return { ref, to: covers.to, text: `## ${heading}\n${fenced(displayText(text))}` };
}
