export const times = (value) => `${value.toFixed(2)}x`;
export const milliseconds = (value) => `${value.toFixed(2)} ms`;

/** One line of the table of aims: the aim, the result, the deviation and its reason. */
export function atLeast(name, aim, measured, { show = times, why } = {}) {
  const asked = `at least ${show(aim)}`;
  if (measured === undefined) return { name, aim: asked, measured: 'not measured', verdict: '' };
  const gap = Math.round((1 - measured / aim) * 100);
  return judged({ name, aim: asked, measured: show(measured), missed: measured < aim, gap, why });
}

export function atMost(name, aim, measured, { show = times, why } = {}) {
  const asked = `at most ${show(aim)}`;
  if (measured === undefined) return { name, aim: asked, measured: 'not measured', verdict: '' };
  const gap = Math.round((measured / aim - 1) * 100);
  return judged({ name, aim: asked, measured: show(measured), missed: measured > aim, gap, why });
}

function judged({ missed, gap, why, ...line }) {
  return { ...line, verdict: missed ? `missed by ${gap} %` : 'met', ...(missed && why && { why }) };
}
