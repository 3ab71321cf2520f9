import { oneLine, printableLine } from '../printable.js';
import { type ContextEvent, authorOf } from './context-event.js';
import { dataLine } from './event-data.js';
import { type Step } from './history.js';
import { type PartStyle, renderPart } from './render-parts.js';

const widestData = 120;

/** Renders an event with its time, its author and the parts that it changed. */
export function renderStep({ event, parts }: Step, style: PartStyle): string {
  const { paint } = style;
  const data = oneLine(dataLine(event.data), widestData);
  const changes = parts.map((part) => renderPart(part, style));
  const nothing = parts.length === 0 ? [paint.dim('no change of the document')] : [];
  return [`${paint.bold(heading(event))}`, paint.dim(data), ...changes, ...nothing]
    .flatMap((block, at) => (at === 0 ? [block] : block.split('\n').map((line) => `  ${line}`)))
    .join('\n');
}

/** Returns one JSON object with the unchanged event and the parts that it changed. */
export function stepAsJson({ event, parts }: Step): string {
  const changed = parts.map(({ part, key, before, after }) => ({ part, key, before, after }));
  return JSON.stringify({ event, changed });
}

export function heading(event: ContextEvent): string {
  const { version, type, recordedAt } = event;
  return printableLine(`version ${version}  ${type}  ${recordedAt ?? ''}  by ${authorOf(event)}`);
}
