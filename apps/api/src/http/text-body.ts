/** A body that is not one JSON value, or that an endpoint reads itself, as the text it is. */
export class TextBody {
  constructor(
    readonly mediaType: string,
    readonly text: string,
  ) {}
}

export const jsonLinesMediaType = 'application/x-ndjson';

/** What imports take beside JSON. */
export const textMediaTypes = [
  jsonLinesMediaType,
  'application/yaml',
  'text/markdown',
  'text/plain',
] as const;
