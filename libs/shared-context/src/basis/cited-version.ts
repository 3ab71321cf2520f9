import { isJsonArray } from '#event-sourcing';

/** `r1.<base64url of a JSON array>.<signature>`: the array begins with workspace, context and version. */
const receiptForm = /^r1\.([\w-]+)\.[\w-]+$/;

/**
 * The version a receipt is of, where it is of the context whose stream is named so; undefined for anything else. Whether
 * the receipt is a true one was looked at when it was cited.
 */
export function citedVersion(basedOn: string | null, stream: string): number | undefined {
  const [, encoded] = receiptForm.exec(basedOn ?? '') ?? [];
  if (encoded === undefined) return undefined;
  const facts = jsonOf(bytesOf(encoded));
  if (!isJsonArray(facts)) return undefined;
  const [workspace, contextId, version] = facts;
  const isHere = `context-${String(workspace)}:${String(contextId)}` === stream;
  return isHere && Number.isSafeInteger(version) ? Number(version) : undefined;
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** One character a byte: what is not ASCII is not looked at. */
function bytesOf(base64url: string): string {
  let bits = 0;
  let held = 0;
  let text = '';
  for (const digit of base64url) {
    held = ((held << 6) | digits.indexOf(digit)) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    text += String.fromCharCode((held >> bits) & 0xff);
  }
  return text;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
