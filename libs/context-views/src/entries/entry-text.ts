import { type Reading, digestIn, firstSentence, lineIn } from '../digests/index.js';
import { type Entry, type EntryForm, decisionText, headingOf, wholeText } from './entry.js';
import { codeSpan, quoted } from './quoted-text.js';

/** How much of an entry's payload a digest may take, of its characters, and how many at least and at most. */
export type DigestRoom = Readonly<{
  name: string;
  share: number;
  least: number;
  most: number;
  /** Of how many characters of its value it is made; undefined for all. */
  reads?: number;
}>;

const lineRoom = 120;

/** `reading`: what was read of the entry's value, which takes time where it is large. */
type Shortening = Readonly<{ room: DigestRoom; reading: () => Reading }>;

/** An entry in a form; what a shorter form would not shorten stays whole, and says so. */
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
  const characters = Math.min(Math.max(share, room.least), room.most);
  return `## ${headingOf(entry)}, digest\n${quoted(digestIn(reading(), characters))}`;
}

/** A live decision is known by its topic, which the heading has, and its first sentence. */
function lineText({ kind, pinned, members }: Entry, reading: () => Reading): string {
  const { decision } = members;
  return kind === 'decision' && pinned && typeof decision === 'string'
    ? firstSentence(decision, lineRoom)
    : lineIn(reading(), lineRoom);
}
