/** A refused request, as the API describes it (RFC 9457). */
export class Problem extends Error {
  override readonly name = 'Problem';

  constructor(
    readonly status: number,
    /** The last part of `type`, such as `version-conflict`; empty if no server answered. */
    readonly code: string,
    readonly title: string,
    detail: string,
  ) {
    super(detail);
  }
}

export function problemOf(status: number, body: unknown): Problem {
  const { type, title, detail } = membersOf(body);
  const code = typeof type === 'string' ? type.replace(/^.*\//, '') : '';
  return new Problem(status, code, textOr(title, `Status ${status}`), textOr(detail, ''));
}

function membersOf(body: unknown): Readonly<Record<string, unknown>> {
  return typeof body === 'object' && body !== null ? { ...body } : {};
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}
