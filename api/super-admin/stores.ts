import { Type } from 'typebox'
import { closeStore } from '#shared/accounts/close-store.ts'
import { AuthErrors } from '#shared/accounts/errors.ts'
import { hashPassword } from '#shared/accounts/password.ts'
import { randomToken } from '#shared/platform/crypto.ts'
import { assertUnchanged, entityTag } from '#shared/platform/entity-tag.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { newId } from '#shared/platform/id.ts'
import { handOver } from '#shared/staff/hand-over.ts'
import { resetOwnersTwoFactor } from '#shared/staff/reset-two-factor.ts'
import { StaffMemberView, viewStaffMember } from '#shared/staff/view.ts'
import { changeSettings } from '#shared/stores/change-settings.ts'
import { DomainErrors, StoreErrors } from '#shared/stores/errors.ts'
import { listStores as list } from '#shared/stores/list-stores.ts'
import { moveStore } from '#shared/stores/move-store.ts'
import { StoreRecordView, viewStoreRecord } from '#shared/stores/record-view.ts'
import { lockStoreRecord, readStoreRecord } from '#shared/stores/store-record.ts'
import { requestPurge } from '#shared/super-admin/request-purge.ts'
import { deviceOf } from '../accounts/caller.ts'
import { superAdmin, superAdminOfStore } from '../platform/access.ts'
import { endpoint } from '../platform/endpoint.ts'
import { inCamelCase } from '../platform/read-fields.ts'
import { page, reply } from '../platform/reply.ts'
import { deletedExample, ownerExample, storeExample } from './examples.ts'
import { openStore } from './open-store.ts'
import {
  NewStoreBody,
  OwnerBody,
  PurgeBody,
  StoreChanges,
  StoreParams,
  StoresQuery,
  StoreWithOwnerView,
} from './schemas.ts'

export const listStores = endpoint({
  method: 'get',
  path: '/super-admin/stores',
  access: superAdmin,
  summary: 'List the stores of the platform, newest first',
  query: StoresQuery,
  paginated: true,
  returns: [200, Type.Array(StoreRecordView)],
  example: { data: [storeExample] },
  async handle({ query }) {
    return page(await list(query), query, viewStoreRecord)
  },
})

export const createStore = endpoint({
  method: 'post',
  path: '/super-admin/stores',
  access: superAdmin,
  transaction: 'own',
  summary: 'Open a store for its owner',
  description: 'A repeat is told `store.slug_taken`. The store has no publishable key yet.',
  body: NewStoreBody,
  returns: [201, StoreWithOwnerView],
  errors: [StoreErrors.slugTaken, AuthErrors.emailTaken, DomainErrors.taken, DomainErrors.alreadyAdded],
  example: {
    body: {
      slug: storeExample.slug,
      name: storeExample.name,
      email: storeExample.email,
      currency: storeExample.currency,
      languages: storeExample.languages,
      time_zone: storeExample.time_zone,
      domains: ['shop.harbor.example'],
      owner: {
        email: ownerExample.email,
        firstname: ownerExample.firstname,
        lastname: ownerExample.lastname,
        password: 'correct horse battery',
      },
    },
    data: { ...storeExample, owner: ownerExample },
  },
  async handle({ body, change }) {
    // The slow hash first: no connection waits for it.
    const passwordHash = await hashPassword(body.owner.password ?? randomToken())
    return change.inStore(newId(), (tx) => openStore(tx, body, passwordHash))
  },
})

export const readStore = endpoint({
  method: 'get',
  path: '/super-admin/stores/:id',
  access: superAdminOfStore,
  summary: 'Read a store, whatever its status',
  params: StoreParams,
  returns: [200, StoreRecordView],
  example: { data: storeExample },
  async handle({ tx }) {
    const store = await readStoreRecord(tx)
    return reply(200, viewStoreRecord(store), { ETag: entityTag(store) })
  },
})

export const changeStore = endpoint({
  method: 'patch',
  path: '/super-admin/stores/:id',
  access: superAdminOfStore,
  summary: 'Change a store; what is left out stays',
  params: StoreParams,
  body: StoreChanges,
  returns: [200, StoreRecordView],
  errors: [CommonErrors.changed],
  example: { body: { name: storeExample.name }, data: storeExample },
  async handle({ tx, body, request }) {
    assertUnchanged(await lockStoreRecord(tx), request.headers['if-match'])
    await changeSettings(tx, inCamelCase(body))
    const store = await readStoreRecord(tx)
    return reply(200, viewStoreRecord(store), { ETag: entityTag(store) })
  },
})

export const suspendStore = endpoint({
  method: 'post',
  path: '/super-admin/stores/:id/suspend',
  access: superAdminOfStore,
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
  summary: 'Open a suspended or deleted store again',
  description: 'Its keys and domains work again. After a deletion, everyone signs in anew.',
  params: StoreParams,
  returns: [200, StoreRecordView],
  errors: [StoreErrors.invalidTransition, StoreErrors.underPurge],
  example: { data: storeExample },
  async handle({ tx }) {
    return viewStoreRecord(await moveStore(tx, 'active'))
  },
})

export const deleteStore = endpoint({
  method: 'delete',
  path: '/super-admin/stores/:id',
  access: superAdminOfStore,
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

export const giveStoreAway = endpoint({
  method: 'post',
  path: '/super-admin/stores/:id/owner',
  access: superAdminOfStore,
  summary: 'Make another member of the staff the owner of a store',
  description: 'For when the owner cannot. Who was it stays as an administrator.',
  params: StoreParams,
  body: OwnerBody,
  returns: [200, StaffMemberView],
  example: { body: { user_id: ownerExample.id }, data: ownerExample },
  async handle({ tx, body }) {
    return viewStaffMember(await handOver(tx, body.user_id))
  },
})

export const resetTwoFactorOfOwner = endpoint({
  method: 'post',
  path: '/super-admin/stores/:id/owner/2fa/reset',
  access: superAdminOfStore,
  summary: "Switch two-factor sign-in off for a store's owner, who has lost app and recovery codes",
  description: 'Make sure who asks. All sessions of the owner close, and a mail tells of it.',
  params: StoreParams,
  returns: [200, Type.Null()],
  errors: [AuthErrors.totpNotEnabled],
  example: { data: null },
  async handle({ tx, request }) {
    await resetOwnersTwoFactor(tx, deviceOf(request))
    return null
  },
})

export const purgeStore = endpoint({
  method: 'post',
  path: '/super-admin/stores/:id/purge',
  access: superAdminOfStore,
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
