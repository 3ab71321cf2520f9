/** The titles of the invariants in audit reports. */
const invariantTitles = {
  I1: 'every acknowledged event is in the log, with its version',
  I2: 'the versions of every stream are 1 to n',
  I3: 'no event and no command is stored twice',
  I4: 'the history is linearizable',
  I5: 'every subscriber received the committed events, in order',
  I6: 'the rows equal the fold of the log',
  I7: 'every effect happened once per event',
  I8: 'no request and no transaction is left open',
  I9: 'all hash chains are valid',
  I10: 'no process ended except by the test',
} as const;

export type InvariantId = keyof typeof invariantTitles;

/** `first` names the first offender; `note` gives the reason if an invariant was not checked, or the part that was omitted. */
export type InvariantReport = Readonly<{
  id: InvariantId;
  title: string;
  verdict: 'held' | 'violated' | 'not checked';
  checked: number;
  offenders: number;
  first: string | null;
  note: string | null;
}>;

/** Counts checks and offenders, and stores the first offender. */
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

export function notChecked(id: InvariantId, reason: string): InvariantReport {
  const nothing = { checked: 0, offenders: 0, first: null };
  return { id, title: invariantTitles[id], verdict: 'not checked', ...nothing, note: reason };
}
