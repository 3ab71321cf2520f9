import { type RecordedOf } from '../context.events.js';
import { type ItemChange, type ItemKey } from '../item.js';
import { type Verdict } from '../reviews/newest-review.js';
import { type SignalName } from './signal.forms.js';

/** The verdicts of signals on the work on their subject; the other signals state none. */
const verdicts: Readonly<Partial<Record<SignalName, Verdict | 'implemented'>>> = {
  'IMPLEMENTATION COMPLETE': 'implemented',
  'IMPLEMENTATION BLOCKED': 'blocked',
  'REVIEW PASSED': 'approved',
  'REVIEW PASSED WITH FIXES': 'approved',
  'REVIEW FAILED': 'rejected',
  'RETRO COMPLETE': 'approved',
};

type Signal = RecordedOf<'SignalEmitted'>;

export function newestSignalKeys({ data }: Pick<Signal, 'data'>): readonly ItemKey[] {
  const { signal, subject } = data;
  return verdicts[signal] === undefined ? [] : [{ kind: 'newest-signal', key: subject }];
}

/** Stores the verdict of a signal on its subject as the newest one; no change if the signal states no verdict. */
export function newestSignals({
  data,
  version,
}: Signal): readonly Exclude<ItemChange, { removed: true }>[] {
  const { signal } = data;
  const verdict = verdicts[signal];
  if (verdict === undefined) return [];
  return newestSignalKeys({ data }).map((key) => ({
    ...key,
    state: { signal, verdict, version },
    body: undefined,
  }));
}
