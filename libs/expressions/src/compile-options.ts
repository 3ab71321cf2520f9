export type CompileOptions = Readonly<{
  /** Names that may stand behind a dot though they hold hyphens, as ids of steps do. */
  declared?: readonly string[];
  /** Refuses numbers that a double does not hold as they are written. Expressions that are stored may hold them. */
  exactNumbers?: boolean;
  /** Allows several lines `name = expression`, of which each may use those above; the value is the last one's. */
  lines?: boolean;
}>;
