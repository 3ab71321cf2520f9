import { type EventFolds } from '../event-fold.js';
import { type ItemKey } from '../item.js';
import { asJson } from '../json.js';
import { authorship } from '../listed-entry.js';
import { newestSignalKeys, newestSignals } from './newest-signal.js';

/** A signal has no id, so the id of its event serves as its key. */
function signalKey(eventId: string): ItemKey {
  return { kind: 'signal', key: eventId };
}

export const signalFolds: EventFolds<'SignalEmitted'> = {
  SignalEmitted: {
    touches: (event) => [signalKey(event.eventId), ...newestSignalKeys(event)],
    fold: (event) => {
      const { signal, subject } = event.data;
      const state = { signal, subject, version: event.version, ...authorship(event) };
      return [
        { ...signalKey(event.eventId), state, body: asJson(event.data) },
        ...newestSignals(event),
      ];
    },
  },
};
