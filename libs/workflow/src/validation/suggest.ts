import { nearestMember } from '#event-sourcing';

/** The known name that was probably meant: the nearest one, or one with the same letters, or one that goes on. */
export function suggest(name: string, known: readonly string[]): string | undefined {
  const letters = lettersOf(name);
  return (
    nearestMember(name, known) ??
    known.find((each) => each !== name && lettersOf(each) === letters) ??
    known.find((each) => each.startsWith(`${name}-`) || each.startsWith(`${name}_`))
  );
}

function lettersOf(name: string): string {
  return Array.from(name.toLowerCase()).toSorted().join('');
}

/** The end of a message that names what was probably meant. */
export function didYouMean(suggestion: string | undefined): string {
  return suggestion === undefined ? '' : `; did you mean ${suggestion}?`;
}
