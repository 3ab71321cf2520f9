import { type JsonObject, type JsonValue } from '#event-sourcing';

const branch = /^(?:if|elif) (\w+) <= (-?\d+(?:\.\d+)?):$/;
const assignment = /^([A-Za-z]\w*) = (\S.*)$/;

/**
 * `if x <= 4:`, `elif x <= 7:`, `else:` with assignments of JSON below each, as ranges of `x`. Undefined if a line is anything
 * else.
 */
export function rangesOf(
  logic: string,
): Readonly<{ by: string; ranges: JsonObject[] }> | undefined {
  const ranges: Range[] = [];
  const lines = logic.split('\n').map((line) => line.trim());
  const names = new Set(lines.flatMap((line) => branch.exec(line)?.[1] ?? []));
  const [by] = names;
  if (by === undefined || names.size > 1) return undefined;
  for (const line of lines.filter((one) => one !== '')) {
    const upTo = branch.exec(line)?.[2];
    if (upTo !== undefined) ranges.push({ upTo: Number(upTo), value: {} });
    else if (line === 'else:') ranges.push({ value: {} });
    else if (!assign(line, ranges.at(-1)?.value)) return undefined;
  }
  return { by, ranges };
}

type Range = { upTo?: number; value: Record<string, JsonValue> };

function assign(line: string, value: Record<string, JsonValue> | undefined): boolean {
  const [, name, literal] = assignment.exec(line) ?? [];
  if (!value || name === undefined || literal === undefined) return false;
  try {
    value[name] = JSON.parse(literal) as JsonValue;
    return true;
  } catch {
    return false;
  }
}
