/** Characters of a key, in code points. */
const longestKey = 256;
const beginning = 200;

/**
 * The key of an item that is named by a text of any length: the text itself, or of a longer one its beginning, its length and a
 * checksum. Two long texts may have the same key if somebody intends it: use it only for what is worked out from others.
 */
export function boundedKey(text: string): string {
  const points = Array.from(text);
  if (points.length <= longestKey) return text;
  return `${points.slice(0, beginning).join('')}…${points.length}:${checksumOf(text)}`;
}

/** FNV-1a of its UTF-16 units, 32 bits in hexadecimal. */
function checksumOf(text: string): string {
  let sum = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193);
  return (sum >>> 0).toString(16).padStart(8, '0');
}
