/** The verdict of a review, and the outcome of its gate if it names one. */
export type Verdict = Readonly<{
  status: 'APPROVED' | 'APPROVED_WITH_FIXES' | 'REJECTED_WITH_FEEDBACK';
  gate?: 'PASS' | 'CONCERNS' | 'FAIL' | 'WAIVED';
}>;

const gates: Readonly<Record<string, Verdict>> = {
  PASS: { status: 'APPROVED', gate: 'PASS' },
  PASSED: { status: 'APPROVED', gate: 'PASS' },
  CONCERNS: { status: 'APPROVED_WITH_FIXES', gate: 'CONCERNS' },
  FAIL: { status: 'REJECTED_WITH_FEEDBACK', gate: 'FAIL' },
  FAILED: { status: 'REJECTED_WITH_FEEDBACK', gate: 'FAIL' },
  BLOCKED: { status: 'REJECTED_WITH_FEEDBACK' },
  WAIVED: { status: 'APPROVED_WITH_FIXES', gate: 'WAIVED' },
};

const approves = /\b(?:approved?|lgtm)\b/i;
const refuses = /\b(?:changes requested|rejected|request(?:ed)? changes)\b/i;
const mends =
  /\b(?:fix|fixes|fixed|resolved|changes applied|with (?:minor )?(?:changes|findings))\b/i;
const needsNone = /\bno (?:fixes|changes)\b/i;
const longestOutcome = 1_000;
const gateLine =
  /\b[Gg]ate(?: [Ss]tatus| [Dd]ecision)?(?:\*\*|__)?\s*[:=](?:\*\*|__)?\s*(?:[*_`"'✅✓⚠️❌]\s*)*(PASS(?:ED)?|CONCERNS|FAIL(?:ED)?|BLOCKED|WAIVED)\b/u;

/** The verdict for the word of a gate. */
export function gateVerdict(word: string): Verdict | undefined {
  const name = word.trim().toUpperCase();
  return Object.hasOwn(gates, name) ? gates[name] : undefined;
}

/** The verdict in a line such as `Gate: PASS → docs/qa/gates/1.2.yml`. */
export function verdictInGateLine(line: string): Verdict | undefined {
  const word = gateLine.exec(line.slice(0, longestOutcome))?.[1];
  return word === undefined ? undefined : gateVerdict(word);
}

/** The verdict in a text about the outcome of a review. */
export function verdictInOutcome(text: string): Verdict | undefined {
  const said = text.slice(0, longestOutcome);
  const [word = ''] = /\b(?:PASS(?:ED)?|CONCERNS|FAIL(?:ED)?|BLOCKED|WAIVED)\b/.exec(said) ?? [];
  return gateVerdict(word) ?? verdictInWords(said);
}

/** The verdict of reviewers who name no gate. Changes made in the review itself are not a rejection. */
function verdictInWords(text: string): Verdict | undefined {
  const isMended = mends.test(text) && !needsNone.test(text);
  if (!refuses.test(text) && !approves.test(text)) return undefined;
  if (isMended) return { status: 'APPROVED_WITH_FIXES' };
  return { status: refuses.test(text) ? 'REJECTED_WITH_FEEDBACK' : 'APPROVED' };
}

const severities: readonly (readonly [RegExp, string])[] = [
  [/crit|blocker/i, 'critical'],
  [/high|major/i, 'high'],
  [/med|moderate/i, 'medium'],
  [/low|minor|info|trivial/i, 'low'],
];

/** The severity for a word; undefined if it is not a severity. */
export function severityOf(word: string): string | undefined {
  const start = word.slice(0, 100);
  return severities.find(([pattern]) => pattern.test(start))?.[1];
}
