/**
 * Raise it if the same items produce other search rows than before, for example because more members are searched. Rows
 * of a lower number are written again, context by context, and are searchable until then.
 */
export const searchVersion = 2;
