/**
 * A node of a syntax tree; `at` is its position in the source. A tree is JSON: it can be stored, and its meaning never
 * changes.
 */
export type Syntax = Readonly<{ at: number }> &
  (
    | Readonly<{ kind: 'literal'; value: string | number | boolean | null }>
    | Readonly<{ kind: 'undefined' }>
    | Readonly<{ kind: 'name'; name: string }>
    | Readonly<{ kind: 'member'; object: Syntax; key: string }>
    | Readonly<{ kind: 'index'; object: Syntax; index: Syntax }>
    | Readonly<{ kind: 'unary'; operator: UnaryOperator; operand: Syntax }>
    | Readonly<{ kind: 'binary'; operator: BinaryOperator; left: Syntax; right: Syntax }>
    | Readonly<{ kind: 'logical'; operator: LogicalOperator; left: Syntax; right: Syntax }>
    | Readonly<{ kind: 'conditional'; test: Syntax; consequent: Syntax; alternate: Syntax }>
    | Readonly<{ kind: 'array'; elements: readonly Syntax[] }>
    | Readonly<{ kind: 'object'; members: readonly (readonly [key: string, value: Syntax])[] }>
    | Readonly<{ kind: 'call'; name: string; arguments: readonly Syntax[]; parameter?: string }>
    | Readonly<{ kind: 'lines'; lines: readonly Line[] }>
  );

/** A line of an algorithm: its value, and the name by which later lines refer to it. */
export type Line = Readonly<{ name?: string; value: Syntax }>;

type UnaryOperator = '!' | '-';
export type LogicalOperator = '&&' | '||' | '??';
export type BinaryOperator =
  | '==='
  | '!=='
  | '=='
  | '!='
  | '<'
  | '<='
  | '>'
  | '>='
  | 'in'
  | '+'
  | '-'
  | '*'
  | '/'
  | '%';
