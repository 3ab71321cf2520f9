import { printable, printableLine } from '../printable.js';

/** Renders a JSON value as lines for a comparison: members by name, strings with their own line breaks. */
export function valueLines(value: unknown, indent = ''): readonly string[] {
  if (typeof value === 'string') return textLines(value, indent);
  if (Array.isArray(value))
    return entryLines(
      value.map((one) => ['-', one] as const),
      '[]',
      indent,
    );
  if (typeof value === 'object' && value !== null)
    return entryLines(
      Object.entries(value).map(([name, one]) => [`${printableLine(name)}:`, one] as const),
      '{}',
      indent,
    );
  return [`${indent}${JSON.stringify(value)}`];
}

function entryLines(
  entries: readonly (readonly [label: string, value: unknown])[],
  empty: string,
  indent: string,
): readonly string[] {
  if (entries.length === 0) return [`${indent}${empty}`];
  return entries.flatMap(([label, value]) => {
    const lines = valueLines(value, `${indent}  `);
    const [only = ''] = lines;
    return lines.length === 1
      ? [`${indent}${label} ${only.trimStart()}`]
      : [`${indent}${label}`, ...lines];
  });
}

function textLines(text: string, indent: string): readonly string[] {
  return printable(text.replaceAll('\r\n', '\n'))
    .split('\n')
    .map((line) => indent + line);
}
