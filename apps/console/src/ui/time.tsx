const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** A time relative to now, with the exact time as its title. */
export function Time({ at }: Readonly<{ at: string }>) {
  const seconds = (Date.parse(at) - Date.now()) / 1000;
  return (
    <time dateTime={at} title={at}>
      {Number.isNaN(seconds) ? at : relativeText(seconds)}
    </time>
  );
}

function relativeText(seconds: number): string {
  for (const [unit, length] of units)
    if (Math.abs(seconds) >= length) return relative.format(Math.round(seconds / length), unit);
  return relative.format(Math.round(seconds), 'second');
}
