import { nearestMember } from '#event-sourcing';

/**
 * The known name that was probably meant: the nearest one, one with the same letters, or one that continues the name.
 */
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

/** The end of a message that suggests a name. */
export function didYouMean(suggestion: string | undefined): string {
  return suggestion === undefined ? '' : `; did you mean ${suggestion}?`;
}
