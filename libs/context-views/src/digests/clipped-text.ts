const terminalColors = /\u001b\[[\d;?]{0,32}[A-Za-z]/g;
/** Line breaks and control characters, which would split a line or make it unreadable. */
const blanks = /[\s\p{White_Space}\p{Cc}]+/gu;
const nul = /\0/g;

/** Any text as one line that every reader can display. */
export function inOneLine(text: string): string {
  return text
    .replace(terminalColors, '')
    .replace(nul, '\ufffd')
    .replace(blanks, ' ')
    .trim()
    .toWellFormed();
}

/** At most `room` characters, cut between words if a word ends near the limit. */
export function clip(text: string, room: number): string {
  if (text.length <= room) return text;
  if (room < 1) return '';
  const cut = text.slice(0, room - 1);
  const end = cut.lastIndexOf(' ');
  const retained = end > room * 0.6 ? cut.slice(0, end) : cut;
  // The cut may have split a pair of surrogates.
  return `${retained.replace(/[\ud800-\udbff]$/, '')}…`;
}

/** The last `room` characters at most, cut between words if a word begins near the limit. */
export function clipStart(text: string, room: number): string {
  if (text.length <= room) return text;
  if (room < 1) return '';
  const cut = text.slice(text.length - room + 1);
  const start = cut.search(/\s/);
  const retained = start >= 0 && start < room * 0.4 ? cut.slice(start + 1) : cut;
  return `…${retained.replace(/^[\udc00-\udfff]/, '')}`;
}

/** The name of an argument whose value is cut off. */
const danglingName = /,? [\w.-]{1,40}:…$/;

/**
 * An action in at most `room` characters. The end of a path is preserved, because it distinguishes the path from
 * others.
 */
export function clipAction(text: string, room: number): string {
  const start = text.indexOf(': ') + 2;
  const what = text.slice(start);
  if (text.length <= room) return text;
  if (/\s/.test(what) || start > room / 2) return clip(text, room).replace(danglingName, '…');
  return text.slice(0, start) + clipStart(what, room - start);
}

/** The first sentence of a text in at most `room` characters, with an ellipsis if more follows. */
export function firstSentence(text: string, room: number): string {
  const line = inOneLine(text.slice(0, room * 8));
  const [sentence = line] = /^.*?[.!?](?=\s)/u.exec(line) ?? [];
  if (sentence.length === line.length) return clip(line, room);
  return sentence.length + 2 > room ? clip(sentence, room) : `${sentence} …`;
}

/** A text as a segment of a view must begin: with neither white space nor a slash. At most `room` characters. */
export function segmentStart(text: string, room: number): string {
  return clip(withMarker(text), Math.max(0, Math.floor(room)));
}

/** As {@link segmentStart}; undefined if the text would be cut. */
export function wholeSegmentStart(text: string, room: number): string | undefined {
  const whole = withMarker(text);
  return whole.length <= room ? whole : undefined;
}

function withMarker(text: string): string {
  return /^[\s\p{White_Space}/]/u.test(text) ? `- ${text}` : text;
}
