export const receiptKinds = ['document', 'view', 'prompt'] as const;
export type ReceiptKind = (typeof receiptKinds)[number];

export type RendererVersions = Readonly<Record<ReceiptKind, number>>;

/**
 * Increment a version if the same context gives other bytes than before: earlier texts may then not be reproducible.
 */
export const rendererVersions: RendererVersions = { document: 4, view: 10, prompt: 10 };
