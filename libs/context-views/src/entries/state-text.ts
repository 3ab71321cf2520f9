import { type Activity, outcomeOf, renderCurrentState } from '#shared-context';

import { clip } from '../digests/index.js';
import { codeSpan, inLine } from './quoted-text.js';

/** Maximum characters of a name in the shortest form. */
const shortName = 40;

/** The current activity as the last line of a view: with whole names, and with long names cut. */
export function stateTexts(activity: Activity): Readonly<{ whole: string; shortest: string }> {
  const status = outcomeOf(activity);
  const state = Object.entries({
    ...renderCurrentState(activity),
    status: status === 'in_progress' ? 'running' : status,
  });
  const text = (longestName: number) => {
    const members = state.flatMap(([name, value]) =>
      value === null ? [] : [`${name} ${stateText(name, String(value), longestName)}`],
    );
    return `## state: ${members.join(', ')}\n`;
  };
  return { whole: text(Infinity), shortest: text(shortName) };
}

/** The status is one of the product's own words, so it is not quoted. */
function stateText(name: string, value: string, longest: number): string {
  return name === 'status' ? value : codeSpan(clip(inLine(value), longest));
}
