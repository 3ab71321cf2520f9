/** Audiences that are compared if the address names none. */
const maxDefault = 6;

/** The audiences of an address, in the order of the list; by default the first ones. */
export function shownAudiences(
  stated: string | null,
  audiences: readonly string[],
): readonly string[] {
  const names = new Set((stated ?? '').split(','));
  const chosen = audiences.filter((audience) => names.has(audience));
  return chosen.length > 0 ? chosen : audiences.slice(0, maxDefault);
}

/** The parameter of the address after an audience was added or removed. */
export function toggled(
  audience: string,
  shown: readonly string[],
  audiences: readonly string[],
): string {
  const isShown = shown.includes(audience);
  return audiences.filter((one) => (one === audience ? !isShown : shown.includes(one))).join(',');
}
