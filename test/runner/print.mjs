/** Writes lines together, so that those of parallel stages do not mix; omits empty ones. */
export function printLines(lines) {
  const text = lines.filter((line) => line !== '').join('\n');
  if (text !== '') process.stdout.write(`${text}\n`);
}
