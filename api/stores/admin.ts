import { Type } from 'typebox'
import { staff, staffInPerson } from '#api/platform/auth/access.ts'
import { memberIdOf } from '#api/platform/auth/callers.ts'
import { reply } from '#api/platform/output/reply.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { AuthErrors } from '#shared/identity/errors.ts'
import { closeSessionsOfDeletedStore } from '#shared/identity/sessions/close-sessions.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { entityTag } from '#shared/platform/http/entity-tag.ts'
import { Shape, Uuid } from '#shared/platform/http/schema.ts'
import { ApiTokenErrors, StaffErrors } from '#shared/staff/errors.ts'
import { mailSettingsChange } from '#shared/staff/ownership/mail-settings-change.ts'
import { lockOwner } from '#shared/staff/roster.ts'
import { deleteStore as remove } from '#shared/stores/lifecycle/delete-store.ts'
import { updateStore as update } from '#shared/stores/lifecycle/update-store.ts'
import { readWholeStore, type Store, type WholeStore } from '#shared/stores/store.ts'
import { StoreView, viewStore } from '#shared/stores/view.ts'
import { SubscriptionErrors } from '#shared/subscriptions/errors.ts'
import { authorizeChange } from './authorize-change.ts'
import { toStoreChanges } from './read-request.ts'
import { settingsExample } from './settings-example.ts'
import { UpdateSettingsRequest } from './settings-schemas.ts'

const StoreParams = Shape({ store_id: Uuid })

const example = {
  id: '0199d1f0-5b7e-7c3a-9a51-2f6f0c7d9e14',
  status: 'active',
  ...settingsExample,
  updated_at: '2026-10-11T09:30:00.000Z',
}

/** Throws `resource.not_found` for another store, whether it exists or not. */
function assertOwn({ id }: Store, requestedId: string): void {
  if (requestedId.toLowerCase() !== id) throw CommonErrors.notFound()
}

const respondWithStore = (store: WholeStore) => reply(200, viewStore(store), { ETag: entityTag(store) })

export const listStores = endpoint({
  method: 'get',
  path: '/admin/stores',
  access: staff('system:read'),
  summary: 'List your stores: always the one of your session',
  returns: [200, Type.Array(StoreView)],
  example: { data: [example] },
  async handle({ tx }) {
    return [viewStore(await readWholeStore(tx))]
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
  async handle({ tx, store, params }) {
    assertOwn(store, params.store_id)
    return respondWithStore(await readWholeStore(tx))
  },
})

export const updateStore = endpoint({
  method: 'patch',
  path: '/admin/stores/:store_id',
  access: staff('system:write'),
  audit: { action: 'patchAdminStoresStoreId', resource: 'stores' },
  recentSignIn: ['links', 'email'],
  summary: 'Change your store; omitted fields keep their values',
  description: 'The same as PATCH /admin/settings.',
  params: StoreParams,
  body: UpdateSettingsRequest,
  returns: [200, StoreView],
  errors: [
    CommonErrors.notFound,
    CommonErrors.changed,
    ApiTokenErrors.forbidden,
    AuthErrors.supportForbidden,
    StaffErrors.ownerOnly,
    SubscriptionErrors.pricesFixed,
  ],
  example: { body: { name: example.name }, data: example },
  async handle({ tx, store, staff, params, body, ifMatch }) {
    assertOwn(store, params.store_id)
    const updated = await update(tx, toStoreChanges(body, store.currency), {
      ifMatch,
      authorize: authorizeChange(staff),
      report: mailSettingsChange({ type: staff.type, memberId: memberIdOf(staff) }),
    })
    return respondWithStore(updated)
  },
})

export const deleteStore = endpoint({
  method: 'delete',
  path: '/admin/stores/:store_id',
  access: staffInPerson('system:write'),
  audit: { action: 'deleteAdminStoresStoreId', resource: 'stores' },
  recentSignIn: true,
  summary: 'Delete your store',
  description:
    'Only the owner can. Everyone is signed out immediately, and its keys, domains, API tokens and webhooks stop ' +
    'working; login and refresh return `auth.tenant_unavailable`. The data is kept for 30 days. ' +
    'Ship or refund paid orders first: nobody can while the store is deleted.',
  params: StoreParams,
  returns: [200, Type.Null()],
  errors: [CommonErrors.notFound, StaffErrors.ownerOnly],
  example: { data: null },
  async handle({ tx, store, staff, params }) {
    assertOwn(store, params.store_id)
    await lockOwner(tx, staff.id)
    await remove(tx, closeSessionsOfDeletedStore)
    return null
  },
})
