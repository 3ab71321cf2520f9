export type CompileOptions = Readonly<{
  /** Names with hyphens, such as ids of steps, that are allowed after a dot. */
  declared?: readonly string[];
  /** Refuses numbers that a double cannot represent exactly. Stored expressions may contain them. */
  exactNumbers?: boolean;
  /**
   * Allows several lines `name = expression`; a line may use the names of earlier lines. The result is the value of
   * the last line.
   */
  lines?: boolean;
}>;
