import type { Static } from 'typebox'
import { omitUndefined, toCamelCase, toMinorIfPresent } from '#api/platform/input/read-fields.ts'
import type { StoreChange } from '#shared/stores/update-store.ts'
import type { SettingsChanges } from './settings-schemas.ts'

/** The settings that a body changes. `currency` is the store's. */
export function readChange(
  { min_order_total, ...fields }: Static<typeof SettingsChanges>,
  currency: string,
): StoreChange {
  const minOrderTotalMinor = toMinorIfPresent(min_order_total, currency, ['min_order_total'])
  return { ...toCamelCase(fields), ...omitUndefined({ minOrderTotalMinor }) }
}
