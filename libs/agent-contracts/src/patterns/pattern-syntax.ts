export type Edge = 'start' | 'end' | 'word' | 'no-word';

/** Whether a position has something before it (`behind`) or after it (`ahead`); `holds` is false if it must not. */
export type Look = Readonly<{
  kind: 'look';
  direction: 'ahead' | 'behind';
  holds: boolean;
  part: PatternNode;
}>;

/** A parsed regular expression. It has no groups, as nothing uses what they matched. */
export type PatternNode =
  | Readonly<{ kind: 'character'; matches: CharacterTest }>
  | Readonly<{ kind: 'sequence'; parts: readonly PatternNode[] }>
  | Readonly<{ kind: 'choice'; options: readonly PatternNode[] }>
  | Readonly<{ kind: 'repeat'; part: PatternNode; minimum: number; maximum: number }>
  | Readonly<{ kind: 'edge'; edge: Edge }>
  | Look;

/** Whether a character matches, by its code point. */
export type CharacterTest = ((codePoint: number) => boolean) &
  Readonly<{
    /** The JavaScript engine compiles a class at its first tests, which takes long for large classes. */
    isClass?: true;
  }>;
