export type Edge = 'start' | 'end' | 'word' | 'no-word';

/** Whether a position has something before it (`behind`) or after it (`ahead`); `holds` is false if it must not. */
export type Look = Readonly<{
  kind: 'look';
  direction: 'ahead' | 'behind';
  holds: boolean;
  part: PatternNode;
}>;

/** A regular expression as it was read. Groups leave nothing behind: nothing asks what they matched. */
export type PatternNode =
  | Readonly<{ kind: 'character'; matches: CharacterTest }>
  | Readonly<{ kind: 'sequence'; parts: readonly PatternNode[] }>
  | Readonly<{ kind: 'choice'; options: readonly PatternNode[] }>
  | Readonly<{ kind: 'repeat'; part: PatternNode; least: number; most: number }>
  | Readonly<{ kind: 'edge'; edge: Edge }>
  | Look;

/** Whether a character, by its code point, is one of those meant. */
export type CharacterTest = ((codePoint: number) => boolean) &
  Readonly<{
    /** JavaScript's engine compiles it at its first tests, which takes long for large classes. */
    isClass?: true;
  }>;
