import { type Reading, digestIn, firstSentence, lineIn } from '../digests/index.js';
import { type Entry, type EntryForm, decisionText, headingOf, wholeText } from './entry.js';
import { codeSpan, quoted } from './quoted-text.js';

/** The length of a digest: a share of the characters of the entry's payload, with a minimum and a maximum. */
export type DigestRoom = Readonly<{
  name: string;
  share: number;
  min: number;
  limit: number;
  /** How many characters of the value are read; undefined for all. */
  reads?: number;
}>;

const lineRoom = 120;

/** `reading`: reads the value of the entry, which takes time if it is large. */
type Shortening = Readonly<{ room: DigestRoom; reading: () => Reading }>;

/** An entry in a form. If the form would not be shorter, the whole text, reported as whole. */
export function entryText(
  entry: Entry,
  form: EntryForm,
  { room, reading }: Shortening,
): Readonly<{ text: string; form: EntryForm }> {
  const whole = wholeText(entry);
  if (form === 'whole') return { text: whole, form };
  const text = shortened(entry, form, { whole: whole.length, room, reading });
  return text.length < whole.length ? { text, form } : { text: whole, form: 'whole' };
}

function shortened(
  entry: Entry,
  form: Exclude<EntryForm, 'whole'>,
  { whole, room, reading }: Shortening & Readonly<{ whole: number }>,
): string {
  if (form === 'brief' || form === 'bare') return decisionText(entry, form);
  if (form === 'line') return `- ${headingOf(entry)}: ${codeSpan(lineText(entry, reading))}\n`;
  const share = Math.ceil(whole * room.share);
  const characters = Math.min(Math.max(share, room.min), room.limit);
  return `## ${headingOf(entry)}, digest\n${quoted(digestIn(reading(), characters))}`;
}

/** A live decision is shown by its first sentence; its topic is in the heading. */
function lineText({ kind, pinned, members }: Entry, reading: () => Reading): string {
  const { decision } = members;
  return kind === 'decision' && pinned && typeof decision === 'string'
    ? firstSentence(decision, lineRoom)
    : lineIn(reading(), lineRoom);
}
