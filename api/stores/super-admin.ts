import { Type } from 'typebox'
import { superAdmin, superAdminOfStore } from '#api/platform/auth/access.ts'
import { toCamelCase } from '#api/platform/input/request-fields.ts'
import { page, reply } from '#api/platform/output/reply.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { entityTag } from '#shared/platform/http/entity-tag.ts'
import { StaffErrors } from '#shared/staff/errors.ts'
import { mailSettingsChange } from '#shared/staff/ownership/mail-settings-change.ts'
import { DomainErrors } from '#shared/stores/domains/errors.ts'
import { StoreErrors } from '#shared/stores/errors.ts'
import { updateStore as update } from '#shared/stores/lifecycle/update-store.ts'
import { listStores as list } from '#shared/stores/list-stores.ts'
import { readStore as read } from '#shared/stores/store.ts'
import { StoreRecordView, viewStoreRecord } from '#shared/stores/view.ts'
import { createStoreWithOwner } from './create-store.ts'
import { ownerExample, storeExample } from './super-admin-examples.ts'
import {
  CreateStoreRequest,
  StoreParams,
  StoresQuery,
  StoreWithOwnerView,
  UpdateStoreRequest,
} from './super-admin-schemas.ts'

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
  audit: { action: 'postSuperAdminStores', resource: 'stores' },
  transaction: 'manual',
  recentSignIn: true,
  summary: 'Create a store and its owner',
  description: 'A repeated request returns `store.slug_taken`. The store has no publishable key yet.',
  body: CreateStoreRequest,
  returns: [201, StoreWithOwnerView],
  errors: [StoreErrors.slugTaken, StaffErrors.emailTaken, DomainErrors.taken, DomainErrors.alreadyAdded],
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
  async handle({ body, unitOfWork }) {
    return createStoreWithOwner(unitOfWork, body)
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
    const store = await read(tx)
    return reply(200, viewStoreRecord(store), { ETag: entityTag(store) })
  },
})

export const updateStore = endpoint({
  method: 'patch',
  path: '/super-admin/stores/:id',
  access: superAdminOfStore,
  audit: { action: 'patchSuperAdminStoresId', resource: 'stores' },
  summary: 'Change a store; omitted fields keep their values',
  params: StoreParams,
  body: UpdateStoreRequest,
  returns: [200, StoreRecordView],
  errors: [CommonErrors.changed],
  example: { body: { name: storeExample.name }, data: storeExample },
  async handle({ tx, superAdmin, body, ifMatch }) {
    const store = await update(tx, toCamelCase(body), {
      ifMatch,
      authorize: () => {}, // A super-admin may change every setting of this body.
      report: mailSettingsChange({ type: 'super_admin', email: superAdmin.email }),
    })
    return reply(200, viewStoreRecord(store), { ETag: entityTag(store) })
  },
})
