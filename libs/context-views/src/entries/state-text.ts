import { type Activity, outcomeOf, renderCurrentState } from '#shared-context';

import { clip } from '../digests/index.js';
import { codeSpan, inLine } from './quoted-text.js';

/** Characters of a name in the shortest form. */
const shortName = 40;

/** What goes on, as the last line of a view: with whole names, and with the beginnings of long ones. */
export function stateTexts(activity: Activity): Readonly<{ whole: string; shortest: string }> {
  const status = outcomeOf(activity);
  const state = Object.entries({
    ...renderCurrentState(activity),
    status: status === 'in_progress' ? 'running' : status,
  });
  const text = (longestName: number) => {
    const stated = state.flatMap(([name, value]) =>
      value === null ? [] : [`${name} ${stateText(name, String(value), longestName)}`],
    );
    return `## state: ${stated.join(', ')}\n`;
  };
  return { whole: text(Infinity), shortest: text(shortName) };
}

/** The status is one of the product's own words. */
function stateText(name: string, value: string, longest: number): string {
  return name === 'status' ? value : codeSpan(clip(inLine(value), longest));
}
