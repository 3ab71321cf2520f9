const commonMembers = ['runId', 'at'] as const;

/** Returns data on one line. Members that all events of a run have come last, because lines are cut. */
export function dataLine(data: unknown): string {
  if (!isObject(data) || typeof data['runId'] !== 'string') return JSON.stringify(data) ?? '';
  const common = commonMembers.flatMap((name) =>
    name in data ? [[name, data[name]] as const] : [],
  );
  const own = Object.entries(data).filter(
    ([name]) => !common.some(([commonName]) => commonName === name),
  );
  return JSON.stringify(Object.fromEntries([...own, ...common]));
}

function isObject(data: unknown): data is Readonly<Record<string, unknown>> {
  return typeof data === 'object' && data !== null && !Array.isArray(data);
}
