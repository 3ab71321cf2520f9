/** Reads a text without markup as one paragraph. Lines are not counted: reports have offsets. */
class ProseProcessor {
  availableExtensions() {
    return ['.prose'];
  }

  processor() {
    return {
      preProcess: (text) => toTree(text),
      postProcess: (messages, filePath) => ({ messages, filePath }),
    };
  }
}

/** A plugin of textlint. */
export const prosePlugin = { Processor: ProseProcessor };

function toTree(text) {
  const lines = text.split('\n');
  const place = {
    raw: text,
    range: [0, text.length],
    loc: {
      start: { line: 1, column: 0 },
      end: { line: lines.length, column: lines.at(-1).length },
    },
  };
  const leaf = { ...place, type: 'Str', value: text };
  return {
    ...{ ...place, type: 'Document' },
    children: [{ ...place, type: 'Paragraph', children: [leaf] }],
  };
}
