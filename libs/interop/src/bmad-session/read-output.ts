import { type ClaimedOrigin } from '../documents/document-format.js';
import { itemRef } from '../documents/item-ref.js';
import { defined } from '../json/defined.js';
import { type EntryOrder } from '../json/entry-order.js';
import { type JsonDraft } from '../json/json-draft.js';
import { type JsonPart } from '../json/json-part.js';

type OutputContext = Readonly<{
  agentId: string;
  name: string;
  order: EntryOrder;
  start: string | undefined;
  end: string | undefined;
}>;

const scheme = /^[a-z][a-z0-9+.-]*:\/\//i;

/**
 * Every output has a separate step, so that the document contains the newest of each. Its scores are those in the
 * output.
 */
export function readOutput(
  draft: JsonDraft,
  part: JsonPart,
  { agentId, name, order: entries, start, end }: OutputContext,
): void {
  const stepId = `${agentId}.${name}`;
  const item = itemRef('step-output', stepId);
  const origin = { agentId, timestamp: end };
  if (start !== undefined) {
    const startOrigin = { agentId, timestamp: start };
    const step = itemRef('step', stepId);
    draft.plan(part, {
      item: step,
      type: 'StepStarted',
      data: { stepId },
      origin: startOrigin,
      order: entries.next(start),
    });
  }
  const order = entries.next(end);
  const artifacts = readArtifacts(draft, part, { stepId, origin, order });
  const artifactIds = artifacts.length > 0 ? artifacts : undefined;
  const data = defined({ stepId, name, output: part.value(), artifactIds });
  const isPlanned = draft.plan(part, { item, type: 'StepOutputAdded', data, origin, order });
  const references = artifacts.map((artifactId) => itemRef('artifact', artifactId));
  draft.claim(part, isPlanned ? [item, ...references] : references);
}

type Step = Readonly<{
  stepId: string;
  origin: ClaimedOrigin;
  order: readonly [number, number];
}>;

/** The artifacts for the files of an output. */
function readArtifacts(
  draft: JsonDraft,
  part: JsonPart,
  { stepId, origin, order }: Step,
): string[] {
  const files = [
    part.member('file_reference'),
    ...(part.member('file_references')?.elements() ?? []),
  ];
  return files.flatMap((file) => {
    const path = file?.value();
    if (!file || typeof path !== 'string' || path === '') return [];
    const artifactId = `${stepId}:${path}`;
    const place = scheme.test(path) ? { uri: path } : { path };
    const data = { artifactId, stepId, artifactType: 'file', ...place };
    const item = itemRef('artifact', artifactId);
    const isPlanned = draft.plan(file, { item, type: 'ArtifactReferenced', data, origin, order });
    return isPlanned ? [artifactId] : [];
  });
}
