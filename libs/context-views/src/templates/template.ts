/**
 * The location of the value of a placeholder: `up` scopes outwards, in the value of that scope, or in its key or index in its list or
 * object.
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

/** A parsed template. Rendering it can fail only because of limits. */
export type Template = Readonly<{
  source: string;
  parts: readonly Part[];
  /** The names of its paths into the data, as far as the source determines them. */
  named: readonly (readonly string[])[];
}>;
