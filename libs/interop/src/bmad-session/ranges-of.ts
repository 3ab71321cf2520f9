import { type JsonObject, type JsonValue, parseJson } from '#event-sourcing';

const branch = /^(?:if|elif) (\w+) <= (-?\d+(?:\.\d+)?):$/;
const assignment = /^([A-Za-z]\w*) = (\S.*)$/;

/**
 * Reads `if x <= 4:`, `elif x <= 7:`, `else:` with assignments of JSON below each, as ranges of `x`. Undefined if any
 * line is something else.
 */
export function rangesOf(
  logic: string,
): Readonly<{ by: string; ranges: JsonObject[] }> | undefined {
  const ranges: Range[] = [];
  const lines = logic.split('\n').map((line) => line.trim());
  const names = new Set(lines.flatMap((line) => branch.exec(line)?.[1] ?? []));
  const [by] = names;
  if (by === undefined || names.size > 1) return undefined;
  const isRead = lines.every((line) => line === '' || readLine(line, ranges));
  return isRead ? { by, ranges } : undefined;
}

type Range = { upTo?: number; value: Record<string, JsonValue> };

/** Adds a branch, or a value to the last one; false if the line is neither. */
function readLine(line: string, ranges: Range[]): boolean {
  const upTo = branch.exec(line)?.[2];
  if (upTo === undefined && line !== 'else:') return assign(line, ranges.at(-1)?.value);
  ranges.push({ ...(upTo === undefined ? {} : { upTo: Number(upTo) }), value: {} });
  return true;
}

function assign(line: string, value: Record<string, JsonValue> | undefined): boolean {
  const [, name, literal] = assignment.exec(line) ?? [];
  if (!value || name === undefined || literal === undefined) return false;
  try {
    value[name] = parseJson(literal);
    return true;
  } catch {
    return false;
  }
}
