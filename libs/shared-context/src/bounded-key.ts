/** Maximum length of a key in code points. */
const longestKey = 256;
const beginning = 200;

/**
 * The key of an item whose name may have any length: the name itself or, if it is too long, its beginning, its length
 * and a checksum. The checksum is not collision-resistant: use such keys only for derived items.
 */
export function boundedKey(text: string): string {
  const points = Array.from(text);
  if (points.length <= longestKey) return text;
  return `${points.slice(0, beginning).join('')}…${points.length}:${checksumOf(text)}`;
}

/** FNV-1a over the UTF-16 code units, 32 bits in hexadecimal. */
function checksumOf(text: string): string {
  let sum = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193);
  return (sum >>> 0).toString(16).padStart(8, '0');
}
