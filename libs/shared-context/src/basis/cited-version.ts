import { isJsonArray } from '#event-sourcing';

/** `r1.<base64url of a JSON array>.<signature>`: the array begins with workspace, context and version. */
const receiptForm = /^r1\.([\w-]+)\.[\w-]+$/;

/**
 * The version in a receipt, if the receipt belongs to the context of this stream; undefined otherwise. The signature
 * was verified when the receipt was cited.
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

/** Decodes each byte to one character: the names and ids that are compared contain only ASCII. */
function bytesOf(base64url: string): string {
  let bits = 0;
  let buffer = 0;
  let text = '';
  for (const digit of base64url) {
    buffer = ((buffer << 6) | digits.indexOf(digit)) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    text += String.fromCharCode((buffer >> bits) & 0xff);
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
