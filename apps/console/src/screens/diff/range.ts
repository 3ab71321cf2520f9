/** Two versions of a context, the earlier one first; 0 is before the first. */
export type Range = Readonly<{ from: number; to: number }>;

/** The versions in the address. By default, the version of the slider and the one before it. */
export function rangeIn(
  parameters: URLSearchParams,
  { version, newest }: Readonly<{ version: number; newest: number }>,
): Range {
  const to = versionIn(parameters.get('to'), { least: 1, most: newest }) ?? version;
  const from = versionIn(parameters.get('from'), { least: 0, most: to }) ?? to - 1;
  return { from, to };
}

/** The parameters of the fields. The version of the slider is left out, so that the difference follows the slider. */
export function rangeParameters(
  { from, to }: Readonly<{ from: string; to: string }>,
  version: number,
): Readonly<{ from: string; to: string | undefined }> {
  return { from, to: to === String(version) ? undefined : to };
}

function versionIn(
  text: string | null,
  { least, most }: Readonly<{ least: number; most: number }>,
): number | undefined {
  if (text === null || !/^\d+$/.test(text)) return undefined;
  const version = Number(text);
  return version >= least && version <= most ? version : undefined;
}
