/** A page of a list; `nextCursor` is null on the last one. */
export type Page<Item> = Readonly<{ items: readonly Item[]; nextCursor: string | null }>;

export type PageRequest = Readonly<{ cursor?: string | undefined; limit: number }>;
