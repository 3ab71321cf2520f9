/** What is wrong where: `pointer` is RFC 6901. */
type Issue = Readonly<{ pointer: string; detail: string }>;

/** The first issue in words, and how many others there are: `more` of them beside `issues`. */
export function describeIssues(issues: readonly Issue[], more = 0): string {
  const [first] = issues;
  if (!first) return 'invalid input';
  const left = issues.length - 1 + more;
  return `${first.pointer || 'the body'}: ${first.detail}${left > 0 ? ` (and ${left} more)` : ''}`;
}
