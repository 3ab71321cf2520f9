/**
 * Where a placeholder looks: so many scopes outwards, in what that scope is of, or at the key or number under which it
 * stands in its list or object.
 */
export type Operand = Readonly<{
  up: number;
  of: 'this' | 'key' | 'index';
  names: readonly string[];
}>;

/** `at`: where its tag begins in the source. */
export type Part = Readonly<{ at: number }> &
  (
    | Readonly<{ kind: 'text'; text: string }>
    | Readonly<{ kind: 'value'; operand: Operand }>
    | Readonly<{ kind: 'lookup'; operand: Operand; key: Operand }>
    | Readonly<{
        kind: 'if' | 'each';
        operand: Operand;
        parts: readonly Part[];
        otherwise: readonly Part[];
      }>
  );

/** A template that has been read; rendering it cannot go wrong but by its limits. */
export type Template = Readonly<{
  source: string;
  parts: readonly Part[];
  /** The names that its paths into the data begin with, as far as the source tells them. */
  named: readonly (readonly string[])[];
}>;
