import { z } from 'zod';

import { defineEvent } from '#event-sourcing';

import { namedValues } from '../payload.schema.js';

/** `values` is a JSON merge patch (RFC 7396) of the global context. */
export const globalContextSet = defineEvent(
  'GlobalContextSet',
  z.strictObject({ values: namedValues }),
);

/** `values` is a JSON merge patch (RFC 7396) of the preferences. */
export const preferencesSet = defineEvent(
  'PreferencesSet',
  z.strictObject({ values: namedValues }),
);

export const globalEvents = [globalContextSet, preferencesSet] as const;
