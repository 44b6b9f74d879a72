import { Type } from 'typebox'
import { superAdminOfStore } from '#api/platform/auth/access.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { closeStore, reopenStore } from '#shared/identity/close-store.ts'
import { StoreErrors } from '#shared/stores/errors.ts'
import { moveStore } from '#shared/stores/move-store.ts'
import { StoreRecordView, viewStoreRecord } from '#shared/stores/record-view.ts'
import { requestPurge } from '#shared/super-admin/request-purge.ts'
import { deletedExample, storeExample } from './examples.ts'
import { PurgeBody, StoreParams } from './schemas.ts'

export const suspendStore = endpoint({
  method: 'post',
  path: '/super-admin/stores/:id/suspend',
  access: superAdminOfStore,
  audit: { action: 'postSuperAdminStoresIdSuspend', resource: 'stores' },
  summary: 'Close a store to customers and staff, until it is restored',
  params: StoreParams,
  returns: [200, StoreRecordView],
  errors: [StoreErrors.invalidTransition, StoreErrors.underPurge],
  example: { data: { ...storeExample, status: 'suspended' } },
  async handle({ tx }) {
    return viewStoreRecord(await moveStore(tx, 'suspended'))
  },
})

export const restoreStore = endpoint({
  method: 'post',
  path: '/super-admin/stores/:id/restore',
  access: superAdminOfStore,
  audit: { action: 'postSuperAdminStoresIdRestore', resource: 'stores' },
  summary: 'Open a suspended or deleted store again',
  description: 'Its keys and domains work again. After a deletion, everyone signs in anew.',
  params: StoreParams,
  returns: [200, StoreRecordView],
  errors: [StoreErrors.invalidTransition, StoreErrors.underPurge],
  example: { data: storeExample },
  async handle({ tx }) {
    return viewStoreRecord(await reopenStore(tx))
  },
})

export const deleteStore = endpoint({
  method: 'delete',
  path: '/super-admin/stores/:id',
  access: superAdminOfStore,
  audit: { action: 'deleteSuperAdminStoresId', resource: 'stores' },
  summary: 'Delete a store',
  description: 'It closes at once, and can be restored for 30 days. Then it is purged.',
  params: StoreParams,
  returns: [200, Type.Null()],
  errors: [StoreErrors.invalidTransition, StoreErrors.underPurge],
  example: { data: null },
  async handle({ tx }) {
    await closeStore(tx)
    return null
  },
})

export const purgeStore = endpoint({
  method: 'post',
  path: '/super-admin/stores/:id/purge',
  access: superAdminOfStore,
  audit: { action: 'postSuperAdminStoresIdPurge', resource: 'stores' },
  summary: 'Remove a deleted store with all that it has, for good',
  description:
    'A worker removes it; when it is gone, reading it gives 404. What super-admins did to it stays in the ' +
    "platform's audit log.",
  params: StoreParams,
  body: PurgeBody,
  returns: [202, StoreRecordView],
  errors: [StoreErrors.notPurgeable],
  example: {
    body: { force: storeExample.slug },
    data: { ...deletedExample, purge_requested_at: '2026-10-11T09:31:00.000Z' },
  },
  async handle({ tx, body }) {
    return viewStoreRecord(await requestPurge(tx, body))
  },
})
