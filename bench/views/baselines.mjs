import { longestThatFits } from './longest-that-fits.mjs';

/**
 * How other products shorten a context, with the same texts and tokenizer. Each returns a text and the refs of the
 * entries in full.
 */
export const baselines = {
  'keep the newest': keepNewest,
  'decisions, last 3, key fields': keyFields,
  'head and tail of each': clipEach,
  'head and tail of all': clipAll,
};

const lastWhole = 3;
const keyFieldLength = 200;
const clippedMark = '\n[...]\n';
/** If even this length of each entry is too much, the oldest entries are dropped. */
const minOfEach = 80;

/** The end of the text, which is the result of dropping the oldest entries. */
function keepNewest({ pieces, most, counts }) {
  const kept = [];
  let left = most;
  for (const piece of pieces.toReversed()) {
    const cost = counts.units(piece.text);
    if (cost > left) {
      kept.push({ text: tailWithin(piece.text, left, counts) });
      break;
    }
    left -= cost;
    kept.push(piece);
  }
  return answer(kept.toReversed());
}

/** All decisions, the last outputs in full, key fields of older ones; then as much as fits, the newest first. */
function keyFields({ pieces, most, counts }) {
  const last = new Set(pieces.filter(({ isOutput }) => isOutput).slice(-lastWhole));
  const shortened = pieces.map((piece) =>
    piece.isOutput && !last.has(piece) ? fieldsOf(piece) : piece,
  );
  const newest = shortened.toReversed();
  const inTurn = [
    ...newest.filter(({ isStanding }) => isStanding),
    ...newest.filter(({ isDecision }) => isDecision),
    ...newest.filter(({ isStanding, isDecision }) => !isStanding && !isDecision),
  ];
  let left = most;
  const kept = new Set();
  for (const piece of inTurn) {
    const cost = counts.units(piece.text);
    if (cost > left) continue;
    left -= cost;
    kept.add(piece);
  }
  return answer(shortened.filter((piece) => kept.has(piece)));
}

function fieldsOf(piece) {
  const fields = `${piece.heading}\n${JSON.stringify(keyed(piece.value))}\n`;
  return fields.length < piece.text.length ? { ...piece, text: fields, ref: null } : piece;
}

/** Scalar members, with long texts cut; of a text, its beginning. */
function keyed(value) {
  if (typeof value === 'string') return value.slice(0, keyFieldLength).toWellFormed();
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const plain = Object.entries(value).filter(([, member]) => typeof member !== 'object');
  return Object.fromEntries(plain.map(([name, member]) => [name, keyed(member)]));
}

/**
 * As many characters as fit of the beginning and the end of each entry, the same for all; then the oldest are dropped.
 */
function clipEach({ pieces, most, counts }) {
  const clipped = (room) => pieces.map((piece) => clip(piece, room));
  const costOf = (piece) =>
    piece.ref === null ? counts.unitsOnce(piece.text) : counts.units(piece.text);
  const cost = (room) => clipped(room).reduce((sum, piece) => sum + costOf(piece), 0);
  const longest = Math.max(...pieces.map(({ text }) => text.length));
  const room = longestThatFits({ most, cost, from: minOfEach, to: longest });
  const all = clipped(room);
  let left = cost(room);
  while (left > most && all.length > 0) left -= costOf(all.shift());
  return answer(all);
}

function clip(piece, room) {
  if (piece.text.length <= room + clippedMark.length) return piece;
  return { ...piece, ref: null, text: `${headAndTail(piece.text, room)}\n` };
}

/** The beginning and the end of the whole as one text. */
function clipAll({ pieces, most, counts }) {
  const text = pieces.map((piece) => piece.text).join('');
  const cost = (room) => counts.unitsOnce(headAndTail(text, room));
  const room = longestThatFits({ most, cost, from: 0, to: text.length });
  const kept = headAndTail(text, room);
  const whole = pieces.filter((piece) => kept.includes(piece.text));
  return { text: kept, whole: new Set(whole.map(({ ref }) => ref)) };
}

function headAndTail(text, room) {
  const half = Math.floor(room / 2);
  return `${text.slice(0, half)}${clippedMark}${text.slice(text.length - half)}`.toWellFormed();
}

function tailWithin(text, most, counts) {
  const tail = (length) => text.slice(text.length - length).toWellFormed();
  const cost = (length) => counts.unitsOnce(tail(length));
  return tail(longestThatFits({ most, cost, from: 0, to: text.length }));
}

function answer(kept) {
  const whole = new Set(kept.flatMap(({ ref }) => (ref ? [ref] : [])));
  return { text: kept.map(({ text }) => text).join(''), whole };
}
