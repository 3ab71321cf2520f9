import { isJsonObject } from '#event-sourcing';
import { type Document, LineCounter, parseDocument } from 'yaml';

type Members = Readonly<Record<string, unknown>>;

/** A YAML mapping, or the fault of the text and its line. */
type YamlReading =
  | Readonly<{ document: Document; values: Members; lines: LineCounter }>
  | Readonly<{ fault: string; line: number }>;

/** Reads a mapping of YAML 1.2; a text that is nested too deep has a fault too. */
export function readYaml(text: string): YamlReading {
  const lines = new LineCounter();
  try {
    const document = parseDocument(text, { lineCounter: lines, stringKeys: true });
    const [error] = document.errors;
    if (error) {
      const [detail = ''] = error.message.split('\n');
      const { line } = lines.linePos(error.pos[0]);
      return { fault: `is not valid YAML (${detail.replace(/:$/, '')})`, line };
    }
    const values: unknown = document.toJS({ maxAliasCount: 100 });
    if (isJsonObject(values)) return { document, values, lines };
    return { fault: 'is not a YAML mapping', line: 1 };
  } catch {
    return { fault: 'is nested too deep, or refers to itself too often', line: 1 };
  }
}
