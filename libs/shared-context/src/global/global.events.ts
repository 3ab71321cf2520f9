import { z } from 'zod';

import { defineEvent } from '#event-sourcing';

import { namedValues, statedValues } from '../payload.schema.js';

/** `values` is a JSON merge patch (RFC 7396) of the global context. */
export const globalContextSet = defineEvent(
  'GlobalContextSet',
  z.strictObject({ values: namedValues }),
);

/** `values` is a JSON merge patch (RFC 7396) of the preferences. */
const preferencesSet = defineEvent('PreferencesSet', z.strictObject({ values: namedValues }));

/** With the limits for input. */
export const globalContextToSet = globalContextSet.schema.extend({ values: statedValues });
export const preferencesToSet = preferencesSet.schema.extend({ values: statedValues });

export const globalEvents = [globalContextSet, preferencesSet] as const;
