/**
 * Raise it when the same items make other search rows than before, as when more of a document is searched: rows of an
 * older number are made again, context by context, while they go on being found.
 */
export const searchVersion = 2;
