/** The limit of the server, in UTF-16 code units. */
export const longestReason = 10_000;

/** Returns the reason of a failure for any thrown value, as text that the server accepts. Never throws. */
export function reasonOf(thrown: unknown): string {
  try {
    return clip(describe(thrown));
  } catch {
    return 'the handler threw a value that cannot be converted to text';
  }
}

/** Cuts a text between characters, and replaces lone surrogates and U+0000, which the server refuses. */
export function clip(text: string, length: number = longestReason): string {
  const end = text.length > length && isHighSurrogate(text, length - 1) ? length - 1 : length;
  return text.slice(0, end).toWellFormed().replaceAll('\0', '\ufffd');
}

function describe(thrown: unknown): string {
  if (thrown instanceof Error) return describeError(thrown);
  if (typeof thrown !== 'string')
    return `the handler threw ${JSON.stringify(thrown) ?? String(thrown)}`;
  return isBlank(thrown) ? 'the handler threw an empty string' : thrown;
}

function describeError(error: Error): string {
  const message = String(error.message);
  if (!isBlank(message)) return message;
  if (error instanceof AggregateError && error.errors.length > 0)
    return error.errors.map(describe).join(', ');
  return `the handler failed: ${error.name} without a message`;
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}

function isHighSurrogate(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return unit >= 0xd800 && unit <= 0xdbff;
}
