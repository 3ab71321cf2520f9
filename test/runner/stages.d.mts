/** See stages.mjs: the stages of `npm test`, in rows that run side by side; `suites` are undefined if all run. */
export const rows: { name: string; project?: string; suites?: string[] }[][];
export const longRows: typeof rows;
