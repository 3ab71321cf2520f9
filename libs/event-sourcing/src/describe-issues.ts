/** A fault and its place; `pointer` is a JSON pointer (RFC 6901). */
type Issue = Readonly<{ pointer: string; detail: string }>;

/** Describes the first issue, and the number of others: the rest of `issues` and `more` unlisted ones. */
export function describeIssues(issues: readonly Issue[], more = 0): string {
  const [first] = issues;
  if (!first) return 'invalid input';
  const left = issues.length - 1 + more;
  return `${first.pointer || 'the body'}: ${first.detail}${left > 0 ? ` (and ${left} more)` : ''}`;
}
