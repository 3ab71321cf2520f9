import { z } from 'zod';

/** Limited to characters that are valid in stream names and headers. */
export const workspaceName = z.string().regex(/^[A-Za-z0-9._-]{1,128}$/);
