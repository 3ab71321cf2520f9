/** `AC1: …`, `**AC 1** - …`, `**R-7:** …`: the name of a criterion before its text. */
export const criterionLabel =
  /^(?:\*\*|__)?(?:(?:AC|Acceptance Criterion)[ -]?#?(\d+(?:\.\d+)*[a-z]?)|((?=[A-Za-z.-]{0,40}\d)[A-Za-z][\w.-]{0,63})(?=:?\*\*))(?:\*\*|__)?[ \t]*(?:[:.—–-]+|(?=\(|$))(?:\*\*|__)?[ \t]*/i;
