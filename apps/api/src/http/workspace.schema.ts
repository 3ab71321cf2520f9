import { z } from 'zod';

/** A workspace's name stands in stream names and headers. */
export const workspaceName = z.string().regex(/^[A-Za-z0-9._-]{1,128}$/);
