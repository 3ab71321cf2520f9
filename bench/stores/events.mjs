import { randomUUID } from 'node:crypto';

const hash = 'a3'.repeat(32);

/** The size of a sealed envelope. */
export const metadata = {
  envelope: 1,
  schemaVersion: 1,
  recordedAt: '2026-01-01T00:00:00.000Z',
  principal: 'architect',
  origin: null,
  correlationId: '0199b7a4-5c1e-7d3a-9a3e-2f6f0c1d2e3f',
  causationId: null,
  basedOn: null,
  trust: 'agent',
  visibility: 'record',
  encrypted: null,
  idempotency: null,
  previousHash: hash,
  hash,
};
const metadataText = JSON.stringify(metadata);

/** Step outputs of 2 KB one after another, as text for our port and parsed for the client. */
export function eventSource(outputs) {
  let made = 0;
  return () => {
    const { json, output } = outputs[made++ % outputs.length];
    const stepId = `step-${made}`;
    return {
      eventId: randomUUID(),
      type: 'StepOutputAdded',
      data: `{"stepId":"${stepId}","output":${json}}`,
      metadata: metadataText,
      parsed: { stepId, output },
    };
  };
}

export function asPortEvent({ eventId, type, data, metadata: text }) {
  return { eventId, type, data, metadata: text };
}
