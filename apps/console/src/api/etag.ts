/** The version in an ETag such as `"5"` or `"5-0f3a…"`. */
export function versionIn(etag: string | null | undefined): number | undefined {
  const [, version] = /"(\d+)/.exec(etag ?? '') ?? [];
  return version === undefined ? undefined : Number(version);
}
