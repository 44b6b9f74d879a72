import { staff } from '#api/platform/auth/access.ts'
import { memberIdOf } from '#api/platform/auth/callers.ts'
import { reply } from '#api/platform/output/reply.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { AuthErrors } from '#shared/identity/errors.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { entityTag } from '#shared/platform/http/entity-tag.ts'
import { ApiTokenErrors, StaffErrors } from '#shared/staff/errors.ts'
import { mailSettingsChange } from '#shared/staff/ownership/mail-settings-change.ts'
import { updateStore } from '#shared/stores/lifecycle/update-store.ts'
import { readWholeStore, type WholeStore } from '#shared/stores/store.ts'
import { StoreSettingsView, viewSettings } from '#shared/stores/view.ts'
import { SubscriptionErrors } from '#shared/subscriptions/errors.ts'
import { authorizeChange } from './authorize-change.ts'
import { toStoreChanges } from './read-request.ts'
import { settingsExample as example } from './settings-example.ts'
import { UpdateSettingsRequest } from './settings-schemas.ts'

const respondWithSettings = (store: WholeStore) => reply(200, viewSettings(store), { ETag: entityTag(store) })

export const readSettings = endpoint({
  method: 'get',
  path: '/admin/settings',
  access: staff('system:read'),
  summary: "Read the store's settings",
  returns: [200, StoreSettingsView],
  example: { data: example },
  async handle({ tx }) {
    return respondWithSettings(await readWholeStore(tx))
  },
})

export const updateSettings = endpoint({
  method: 'patch',
  path: '/admin/settings',
  access: staff('system:write'),
  audit: { action: 'patchAdminSettings', resource: 'settings' },
  recentSignIn: ['links', 'email'],
  summary: "Change the store's settings; omitted fields keep their values",
  description:
    'Time limits apply to later checkouts. The currency and the slug cannot be changed. The owner gets a mail about ' +
    'a changed page in `links` and a changed `email`.',
  body: UpdateSettingsRequest,
  returns: [200, StoreSettingsView],
  errors: [
    CommonErrors.changed,
    ApiTokenErrors.forbidden,
    AuthErrors.supportForbidden,
    StaffErrors.ownerOnly,
    SubscriptionErrors.pricesFixed,
  ],
  example: { body: { min_order_total: 10 }, data: example },
  async handle({ tx, store, staff, body, ifMatch }) {
    const updated = await updateStore(tx, toStoreChanges(body, store.currency), {
      ifMatch,
      authorize: authorizeChange(staff),
      report: mailSettingsChange({ type: staff.type, memberId: memberIdOf(staff) }),
    })
    return respondWithSettings(updated)
  },
})
