import type { Static } from 'typebox'
import type { ApiToken, StaffMember, StoreContext } from '#api/platform/auth/access.ts'
import { omitUndefined, toCamelCase, toMinorIfPresent } from '#api/platform/input/read-fields.ts'
import type { RequestInfo } from '#api/platform/operation/request-info.ts'
import { authorizeSettingsChange } from '#shared/staff/authorize-settings-change.ts'
import type { Store } from '#shared/stores/store.ts'
import { updateSettings as update } from '#shared/stores/update-settings.ts'
import type { SettingsChanges } from './settings-schemas.ts'

interface SettingsCall extends StoreContext {
  staff: StaffMember | ApiToken
  body: Static<typeof SettingsChanges>
  request: RequestInfo
}

/** Changes the settings of the caller's store as the request asks. */
export function updateStoreSettings({ tx, store, staff, body, request }: SettingsCall): Promise<Store> {
  const { min_order_total, ...fields } = body
  const minOrderTotalMinor = toMinorIfPresent(min_order_total, store.currency, ['min_order_total'])
  return update(
    tx,
    { ...toCamelCase(fields), ...omitUndefined({ minOrderTotalMinor }) },
    { ifMatch: request.headers['if-match'], authorize: authorizeSettingsChange(staff) },
  )
}
