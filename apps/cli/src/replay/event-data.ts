const ofRun = ['runId', 'at'] as const;

/** Data on one line. What all events of a run have in common comes last: lines are cut. */
export function dataLine(data: unknown): string {
  if (!isObject(data) || typeof data['runId'] !== 'string') return JSON.stringify(data) ?? '';
  const common = ofRun.flatMap((name) => (name in data ? [[name, data[name]] as const] : []));
  const own = Object.entries(data).filter(([name]) => !common.some(([known]) => known === name));
  return JSON.stringify(Object.fromEntries([...own, ...common]));
}

function isObject(data: unknown): data is Readonly<Record<string, unknown>> {
  return typeof data === 'object' && data !== null && !Array.isArray(data);
}
