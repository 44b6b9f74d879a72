import type { Static } from 'typebox'
import { omitUndefined, toCamelCase, toMinorIfPresent } from '#api/platform/input/request-fields.ts'
import type { StoreChange } from '#shared/stores/lifecycle/update-store.ts'
import type { UpdateSettingsRequest } from './settings-schemas.ts'

/** Returns the settings that a body changes. `currency` is the store's currency. */
export function toStoreChanges(
  { min_order_total, ...fields }: Static<typeof UpdateSettingsRequest>,
  currency: string,
): StoreChange {
  const minOrderTotalMinor = toMinorIfPresent(min_order_total, currency, ['min_order_total'])
  return { ...toCamelCase(fields), ...omitUndefined({ minOrderTotalMinor }) }
}
