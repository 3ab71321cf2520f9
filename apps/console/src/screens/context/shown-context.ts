/** The context that a tab shows: `version` is where the slider is, `newest` the version of the context now. */
export type ShownContext = Readonly<{ contextId: string; version: number; newest: number }>;
