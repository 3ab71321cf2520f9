/** Why a template cannot be parsed or rendered, and where in its source. Lines and columns count from 1. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
  readonly line: number;
  readonly column: number;

  /** `at`: the index in `source`, in UTF-16 units from 0. */
  constructor(
    readonly reason: string,
    source: string,
    at: number,
  ) {
    const { line, column } = placeOf(source, at);
    super(`line ${line}, column ${column}: ${reason}`);
    this.line = line;
    this.column = column;
  }
}

function placeOf(source: string, at: number): Readonly<{ line: number; column: number }> {
  let line = 1;
  let start = 0;
  for (let next = source.indexOf('\n'); next !== -1 && next < at;) {
    line += 1;
    start = next + 1;
    next = source.indexOf('\n', start);
  }
  return { line, column: at - start + 1 };
}
