/** A body of lines, each of them JSON: what they hold is for the endpoint to read. */
export class JsonLines {
  constructor(readonly text: string) {}
}

export const jsonLinesMediaType = 'application/x-ndjson';
