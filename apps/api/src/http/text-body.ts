/** The text of a body that is not a single JSON value, or that the endpoint parses itself. */
export class TextBody {
  constructor(
    readonly mediaType: string,
    readonly text: string,
  ) {}
}

export const jsonLinesMediaType = 'application/x-ndjson';

/** The media types that imports accept, in addition to JSON. */
export const textMediaTypes = [
  jsonLinesMediaType,
  'application/yaml',
  'text/markdown',
  'text/plain',
] as const;
