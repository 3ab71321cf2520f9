import { type JsonValue } from '#event-sourcing';

import { factWords, factsShownIn } from './fact-lists.js';
import { Reading } from './read-value.js';
import { begun, clip } from './shown.js';

/** What share of the room the most telling line may take where there are facts to follow it. */
const lineShare = 0.6;
const separator = ' · ';

/** A value in one line of at most `room` characters: all of it where it fits, else what tells most, then facts. */
export function lineOf(value: JsonValue, room: number): string {
  return lineIn(Reading.of(value), room);
}

export function lineIn(read: Reading, room: number): string {
  const whole = read.whole(room)?.replaceAll('\n', '; ');
  return begun(whole !== undefined && whole.length <= room ? whole : shortened(read, room), room);
}

function shortened({ found, ranks }: Reading, room: number): string {
  const telling = ranks.of('verdict')[0] ?? ranks.of('field')[0] ?? ranks.of('error')[0];
  const line = (telling ?? ranks.first ?? ranks.of('scrap')[0])?.text ?? '';
  const short = clip(line, Math.floor(room * lineShare));
  const words = factWords(found, room - short.length - separator.length, factsShownIn(short));
  const facts = words.join(', ');
  return facts === '' ? clip(line, room) : `${short}${separator}${facts}`;
}
