import { counted } from '../../ui/counted.js';

/** The hash chain of a context, as `GET /v1/contexts/{id}/verify` returns it. */
export type Chain = Readonly<{
  contextId: string;
  /** The number of valid events before the end, or before the broken one. */
  events: number;
  /** The hash of the last valid event; null if there is none. */
  lastHash: string | null;
  broken: Readonly<{ version: number; reason: BrokenReason }> | null;
}>;

type BrokenReason = keyof typeof causes;

const causes = {
  gap: 'An event was removed here: its version is missing.',
  'unreadable-envelope': 'The metadata of the event cannot be read.',
  'wrong-previous-hash':
    'The event does not follow the one before it: an event was inserted, exchanged, or removed with the rest moved up.',
  'wrong-hash':
    'The content does not match its hash: the payload, author, time, type or id of the event was changed, or the event belongs to another context.',
} as const;

/** The meaning of a reason, in a sentence. */
export function causeOf(reason: BrokenReason): string {
  return causes[reason];
}

/** A result in a few words, for a list. */
export function shortResult({ events, broken }: Chain): string {
  return broken ? `broken at version ${broken.version}` : `valid, ${counted(events, 'event')}`;
}

/** The range of versions whose hashes are valid, in words. */
export function validRange({ events }: Chain): string {
  if (events === 0) return 'No event before it is valid.';
  return events === 1 ? 'Version 1 is valid.' : `Versions 1 to ${events} are valid.`;
}
