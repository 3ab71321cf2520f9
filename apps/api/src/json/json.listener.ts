/** Callbacks of a scanner; `at` is the index of the character. */
export type JsonListener = Readonly<{
  opened: (at: number, isObject: boolean) => void;
  /** A key that begins at `at`. */
  named: (key: string, at: number) => void;
  /** A comma between two entries of the innermost container. */
  separated: (at: number) => void;
  closed: (at: number) => void;
}>;
