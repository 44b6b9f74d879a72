import { Type } from 'typebox'
import { staff, staffInPerson } from '#api/platform/auth/access.ts'
import { reply } from '#api/platform/output/reply.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { settingsExample } from '#api/settings/examples.ts'
import { toSettingsChange } from '#api/settings/read-request.ts'
import { SettingsChanges } from '#api/settings/schemas.ts'
import { AuthErrors } from '#shared/identity/errors.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { entityTag } from '#shared/platform/http/entity-tag.ts'
import { Shape, Uuid } from '#shared/platform/http/schema.ts'
import { ApiTokenErrors } from '#shared/staff/api-tokens/errors.ts'
import { changeSettingsAs } from '#shared/staff/change-settings-as.ts'
import { closeOwnStore } from '#shared/staff/close-own-store.ts'
import { StaffErrors } from '#shared/staff/errors.ts'
import { StoreView, viewStore } from '#shared/stores/settings-view.ts'
import type { Store } from '#shared/stores/store.ts'
import { assertOwn } from './own-store.ts'

const StoreParams = Shape({ store_id: Uuid })

const example = {
  id: '0199d1f0-5b7e-7c3a-9a51-2f6f0c7d9e14',
  status: 'active',
  ...settingsExample,
  updated_at: '2026-10-11T09:30:00.000Z',
}

const tagged = (store: Store) => reply(200, viewStore(store), { ETag: entityTag(store) })

export const listStores = endpoint({
  method: 'get',
  path: '/admin/stores',
  access: staff('system:read'),
  summary: 'List the stores that your session opens: your own',
  returns: [200, Type.Array(StoreView)],
  example: { data: [example] },
  async handle({ store }) {
    return [viewStore(store)]
  },
})

export const readStore = endpoint({
  method: 'get',
  path: '/admin/stores/:store_id',
  access: staff('system:read'),
  summary: 'Read your store',
  params: StoreParams,
  returns: [200, StoreView],
  errors: [CommonErrors.notFound],
  example: { data: example },
  async handle({ store, params }) {
    assertOwn(store, params.store_id)
    return tagged(store)
  },
})

export const changeStore = endpoint({
  method: 'patch',
  path: '/admin/stores/:store_id',
  access: staff('system:write'),
  audit: { action: 'patchAdminStoresStoreId', resource: 'stores' },
  summary: 'Change your store; what is left out stays',
  description: 'The same as PATCH /admin/settings.',
  params: StoreParams,
  body: SettingsChanges,
  returns: [200, StoreView],
  errors: [
    CommonErrors.notFound,
    CommonErrors.changed,
    ApiTokenErrors.forbidden,
    AuthErrors.supportForbidden,
    StaffErrors.ownerOnly,
  ],
  example: { body: { name: example.name }, data: example },
  async handle({ tx, store, staff, params, body, request }) {
    assertOwn(store, params.store_id)
    const change = toSettingsChange(body, store)
    return tagged(await changeSettingsAs(tx, staff, change, request.headers['if-match']))
  },
})

export const deleteStore = endpoint({
  method: 'delete',
  path: '/admin/stores/:store_id',
  access: staffInPerson('system:write'),
  audit: { action: 'deleteAdminStoresStoreId', resource: 'stores' },
  summary: 'Delete your store',
  description:
    'The owner alone does. At once everybody is signed out, and its keys, domains, API tokens and webhooks work no ' +
    'more; login and refresh are told `auth.tenant_unavailable`. The data is kept for 30 days.',
  params: StoreParams,
  returns: [200, Type.Null()],
  errors: [CommonErrors.notFound, StaffErrors.ownerOnly],
  example: { data: null },
  async handle({ tx, store, staff, params }) {
    assertOwn(store, params.store_id)
    await closeOwnStore(tx, staff.id)
    return null
  },
})
