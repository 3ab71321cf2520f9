export const receiptKinds = ['document', 'view', 'prompt'] as const;
export type ReceiptKind = (typeof receiptKinds)[number];

export type RendererVersions = Readonly<Record<ReceiptKind, number>>;

/** Raise one when the same context makes other bytes than before: what was shown earlier may not be made again. */
export const rendererVersions: RendererVersions = { document: 4, view: 10, prompt: 10 };
