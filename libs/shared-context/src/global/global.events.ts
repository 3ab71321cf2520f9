import { z } from 'zod';

import { defineClientEvent } from '../context-event.js';
import { defineItemKind } from '../item-kind.js';
import { namedValues, statedValues } from '../payload.schema.js';

/** `values` is a JSON merge patch (RFC 7396) of the global context or of the preferences. */
const valuesPayload = z.strictObject({ values: namedValues });

/** With the limits for input. */
const globalContextToSet = valuesPayload.extend({ values: statedValues });
const preferencesToSet = valuesPayload.extend({ values: statedValues });

export const globalContextSet = defineClientEvent('GlobalContextSet', valuesPayload, {
  line: ({ values }) => `global context: ${Object.keys(values).join(', ')}`,
  client: { command: 'SetGlobalContext', payload: globalContextToSet },
});

const preferencesSet = defineClientEvent('PreferencesSet', valuesPayload, {
  line: ({ values }) => `preferences: ${Object.keys(values).join(', ')}`,
  client: { command: 'SetPreferences', payload: preferencesToSet },
});

export const globalEvents = [globalContextSet, preferencesSet] as const;

export const globalItemKinds = [
  defineItemKind('global', { rulesReadBody: true }),
  defineItemKind('preference', { rulesReadBody: true }),
  defineItemKind('patched'),
] as const;
