/** The invariants of the audit, in the words its report uses. */
const invariantTitles = {
  I1: 'every acknowledged event is in the log, under its version',
  I2: 'versions of a stream are 1 to n',
  I3: 'no event and no command is stored twice',
  I4: 'the history is linearizable',
  I5: 'every subscriber was delivered what was committed, in order',
  I6: 'rows are the fold of the log',
  I7: 'every effect happened once an event',
  I8: 'nothing is left open: no request, no transaction',
  I9: 'hash chains verify',
  I10: 'no process ended but by the test',
} as const;

export type InvariantId = keyof typeof invariantTitles;

/** `first` names the first offender; `note` says why something was not checked, or what was left out. */
export type InvariantReport = Readonly<{
  id: InvariantId;
  title: string;
  verdict: 'held' | 'violated' | 'not checked';
  checked: number;
  offenders: number;
  first: string | null;
  note: string | null;
}>;

/** Counts what was looked at and keeps the first offender. */
export class Findings {
  #checked = 0;
  #offenders = 0;
  #first: string | null = null;

  constructor(readonly id: InvariantId) {}

  checked(count = 1): void {
    this.#checked += count;
  }

  offend(offender: string): void {
    this.#offenders++;
    this.#first ??= offender;
  }

  report(note: string | null = null): InvariantReport {
    return {
      id: this.id,
      title: invariantTitles[this.id],
      verdict: this.#offenders > 0 ? 'violated' : 'held',
      checked: this.#checked,
      offenders: this.#offenders,
      first: this.#first,
      note,
    };
  }
}

export function notChecked(id: InvariantId, why: string): InvariantReport {
  const nothing = { checked: 0, offenders: 0, first: null };
  return { id, title: invariantTitles[id], verdict: 'not checked', ...nothing, note: why };
}
