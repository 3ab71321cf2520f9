const hasUnit = /[A-Za-z%µ°]$/;
/** In characters. */
export const longestLabel = 20;
const labelEnd = /^ ?[=(]? ?$/;
const labelWord = /^([A-Za-z_][\w-]{2,19})(:)?$/;
const year = /^(?:1[5-9]|20)\d\d$/;
const capital = /^[A-Z]/;
/** Words before numbers that do not describe the numbers. */
const stopWords: ReadonlySet<string> = new Set(
  'the and for with from than over about are was were has have had all only just least most after before between into its this that these those out not but per via then when you your our can will may get set add use see now new one two both each any some more less under above below around approximately nearly almost exactly like such which who her his him she they them it is of to in on at by or as an up off be do if so no being having using making since until during'.split(
    ' ',
  ),
);

/**
 * The word directly before a number that describes it: `total: 9`, `total=9`, `total (9`, `line 9`; empty if there is
 * none.
 */
export function labelBefore(
  word: string,
  { before, between }: Readonly<{ before: string; between: string }>,
): string {
  if (!labelEnd.test(between)) return '';
  const [, label = '', colon] = labelWord.exec(before) ?? [];
  if (stopWords.has(label.toLowerCase())) return '';
  return colon === undefined && !between.includes('=') && isVague(label, word) ? '' : label;
}

/** A word before a year, or at the beginning of a sentence, rarely describes the number. */
function isVague(label: string, word: string): boolean {
  return year.test(word) || capital.test(label);
}

/** Whether a number has no unit. */
export function isBare(number: string): boolean {
  return !hasUnit.test(number);
}
