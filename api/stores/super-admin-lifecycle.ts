import { Type } from 'typebox'
import { superAdminOfStore } from '#api/platform/auth/access.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { closeSessionsOfDeletedStore } from '#shared/identity/sessions/close-sessions.ts'
import { findIntegrations } from '#shared/integrations/find-integrations.ts'
import { hasUnsettledMoney } from '#shared/refunds/has-unsettled-money.ts'
import { deactivateDisplacedStaffMembers } from '#shared/staff/members/deactivate-displaced-staff-members.ts'
import { StoreErrors } from '#shared/stores/errors.ts'
import { deleteStore as remove } from '#shared/stores/lifecycle/delete-store.ts'
import { requestPurge } from '#shared/stores/lifecycle/request-purge.ts'
import { restoreStore as restore } from '#shared/stores/lifecycle/restore-store.ts'
import { transitionStore } from '#shared/stores/lifecycle/transition-store.ts'
import { StoreRecordView, viewStoreRecord } from '#shared/stores/view.ts'
import { countOpenBusiness } from '#shared/super-admin/count-open-business.ts'
import { deletedExample, storeExample } from './super-admin-examples.ts'
import { PurgeStoreRequest, StoreParams } from './super-admin-schemas.ts'

export const suspendStore = endpoint({
  method: 'post',
  path: '/super-admin/stores/:id/suspend',
  access: superAdminOfStore,
  audit: { action: 'postSuperAdminStoresIdSuspend', resource: 'stores' },
  summary: 'Suspend a store: it is closed to customers and staff until it is restored',
  params: StoreParams,
  returns: [200, StoreRecordView],
  errors: [StoreErrors.invalidTransition],
  example: { data: { ...storeExample, status: 'suspended' } },
  async handle({ tx }) {
    return viewStoreRecord(await transitionStore(tx, 'suspended'))
  },
})

export const restoreStore = endpoint({
  method: 'post',
  path: '/super-admin/stores/:id/restore',
  access: superAdminOfStore,
  audit: { action: 'postSuperAdminStoresIdRestore', resource: 'stores' },
  recentSignIn: true,
  summary: 'Restore a suspended or deleted store',
  description:
    'Its keys and domains work again. After a deletion, everyone must sign in again. While a store is closed, other ' +
    'accounts can take the addresses of its staff, except that of the owner. The accounts of these members are ' +
    'switched off: PATCH /admin/users/{user_id} switches them on, with another address or once the address is free.',
  params: StoreParams,
  returns: [200, StoreRecordView],
  errors: [StoreErrors.invalidTransition, StoreErrors.underPurge],
  example: { data: storeExample },
  async handle({ tx, superAdmin }) {
    const restored = await restore(tx, closeSessionsOfDeletedStore)
    await deactivateDisplacedStaffMembers(tx, { superAdmin: superAdmin.email, findIntegrations })
    return viewStoreRecord(restored)
  },
})

export const deleteStore = endpoint({
  method: 'delete',
  path: '/super-admin/stores/:id',
  access: superAdminOfStore,
  audit: { action: 'deleteSuperAdminStoresId', resource: 'stores' },
  recentSignIn: true,
  summary: 'Delete a store',
  description:
    'It closes immediately and can be restored for 30 days. Then it is purged, unless it has open business: paid ' +
    'orders to ship, open disputes or returns, gift vouchers with a balance or unpaid commissions.',
  params: StoreParams,
  returns: [200, Type.Null()],
  errors: [StoreErrors.invalidTransition],
  example: { data: null },
  async handle({ tx }) {
    await remove(tx, closeSessionsOfDeletedStore)
    return null
  },
})

export const purgeStore = endpoint({
  method: 'post',
  path: '/super-admin/stores/:id/purge',
  access: superAdminOfStore,
  audit: { action: 'postSuperAdminStoresIdPurge', resource: 'stores' },
  recentSignIn: true,
  summary: 'Delete a store and all its data permanently',
  description:
    "A worker removes it; afterwards, reading it returns 404. The platform's audit log keeps its entries about the " +
    'store. It is refused while a payment is open at the gateway, or money is on its way back to a buyer. ' +
    'While the store has open business, i.e. paid orders to ship, open disputes or returns, gift vouchers with a ' +
    'balance or unpaid commissions, it needs `override`.',
  params: StoreParams,
  body: PurgeStoreRequest,
  returns: [202, StoreRecordView],
  errors: [StoreErrors.notPurgeable, StoreErrors.hasOpenBusiness],
  example: {
    body: { force: storeExample.slug },
    data: { ...deletedExample, purge_requested_at: '2026-10-11T09:31:00.000Z' },
  },
  async handle({ tx, body }) {
    return viewStoreRecord(await requestPurge(tx, body, { hasUnsettledMoney, countOpenBusiness }))
  },
})
