const terminalColours = /\u001b\[[\d;?]{0,32}[A-Za-z]/g;
/** A line break or a control character would make two lines of one, or none that can be read. */
const blanks = /[\s\p{White_Space}\p{Cc}]+/gu;
const nul = /\0/g;

/** Any text as one line that every reader can show. */
export function inOneLine(text: string): string {
  return text
    .replace(terminalColours, '')
    .replace(nul, '\ufffd')
    .replace(blanks, ' ')
    .trim()
    .toWellFormed();
}

/** At most `room` characters, cut between words where one ends near. */
export function clip(text: string, room: number): string {
  if (text.length <= room) return text;
  if (room < 1) return '';
  const cut = text.slice(0, room - 1);
  const end = cut.lastIndexOf(' ');
  const kept = end > room * 0.6 ? cut.slice(0, end) : cut;
  // A pair of surrogates may have been cut apart.
  return `${kept.replace(/[\ud800-\udbff]$/, '')}…`;
}

/** The last `room` characters at most, cut between words if one begins near. */
export function clipStart(text: string, room: number): string {
  if (text.length <= room) return text;
  if (room < 1) return '';
  const cut = text.slice(text.length - room + 1);
  const start = cut.search(/\s/);
  const kept = start >= 0 && start < room * 0.4 ? cut.slice(start + 1) : cut;
  return `…${kept.replace(/^[\udc00-\udfff]/, '')}`;
}

/** The name of an argument without what it is. */
const danglingName = /,? [\w.-]{1,40}:…$/;

/** What was done in at most `room` characters: of a path alone the end is what tells one from another. */
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

/** As a segment of a view begins: with neither white space nor a slash. At most `room` characters. */
export function begun(text: string, room: number): string {
  return clip(marked(text), Math.max(0, Math.floor(room)));
}

/** As {@link begun}, of a text that need not be cut for that; undefined for any other. */
export function beginsWhole(text: string, room: number): string | undefined {
  const whole = marked(text);
  return whole.length <= room ? whole : undefined;
}

function marked(text: string): string {
  return /^[\s\p{White_Space}/]/u.test(text) ? `- ${text}` : text;
}
