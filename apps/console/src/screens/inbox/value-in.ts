/** The JSON value in a text field; text that is not JSON is a string. */
export function valueIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
