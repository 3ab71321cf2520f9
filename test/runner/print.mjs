/** Writes lines at once, so that those of stages that run side by side do not mix; empty ones are left out. */
export function printLines(lines) {
  const text = lines.filter((line) => line !== '').join('\n');
  if (text !== '') process.stdout.write(`${text}\n`);
}
