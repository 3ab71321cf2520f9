/** Reads the text of an answer. Stops and returns undefined if it is longer than `maxBytes`. */
export async function readBounded(
  response: Readonly<{ body: AsyncIterable<Uint8Array> | null }>,
  maxBytes: number,
): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  // Leaving the loop cancels the rest.
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
