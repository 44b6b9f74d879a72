import { Type } from 'typebox'
import { superAdminOfStore } from '#api/platform/auth/access.ts'
import { listQuery } from '#api/platform/input/list-query.ts'
import { toCamelCase } from '#api/platform/input/request-fields.ts'
import { page, reply } from '#api/platform/output/reply.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { entityTag } from '#shared/platform/http/entity-tag.ts'
import { KeyErrors } from '#shared/stores/publishable-keys/errors.ts'
import { issuePublishableKey } from '#shared/stores/publishable-keys/issue-publishable-key.ts'
import {
  listPublishableKeys,
  PUBLISHABLE_KEYS,
} from '#shared/stores/publishable-keys/list-publishable-keys.ts'
import {
  IssuedKeyView,
  PublishableKeyView,
  viewIssuedPublishableKey,
  viewPublishableKey,
} from '#shared/stores/publishable-keys/publishable-key-view.ts'
import { revokePublishableKey as revoke } from '#shared/stores/publishable-keys/revoke-publishable-key.ts'
import { rotatePublishableKey as rotate } from '#shared/stores/publishable-keys/rotate-publishable-key.ts'
import { updatePublishableKey as update } from '#shared/stores/publishable-keys/update-publishable-key.ts'
import {
  createPublishableKey,
  revokePublishableKey,
  rotatePublishableKey,
  updatePublishableKey,
} from './admin-publishable-keys.ts'
import {
  CreatePublishableKeyRequest,
  ENDED_KEYS,
  KEY_CHANGE,
  RotatePublishableKeyRequest,
  UpdatePublishableKeyRequest,
} from './schemas.ts'
import { StoreKeyParams, StoreParams } from './super-admin-schemas.ts'

const revoked = revokePublishableKey.example

export const listKeysOfStore = endpoint({
  method: 'get',
  path: '/super-admin/stores/:id/publishable-keys',
  access: superAdminOfStore,
  summary: "List a store's publishable keys, newest first",
  description: ENDED_KEYS,
  params: StoreParams,
  query: listQuery(PUBLISHABLE_KEYS),
  paginated: true,
  returns: [200, Type.Array(PublishableKeyView)],
  example: { data: [revoked.data] },
  async handle({ tx, query }) {
    return page(await listPublishableKeys(tx, query), query, viewPublishableKey)
  },
})

export const createKeyOfStore = endpoint({
  method: 'post',
  path: '/super-admin/stores/:id/publishable-keys',
  access: superAdminOfStore,
  audit: { action: 'postSuperAdminStoresIdPublishableKeys', resource: 'publishable-keys' },
  summary: 'Issue a publishable key for a store',
  params: StoreParams,
  body: CreatePublishableKeyRequest,
  returns: [201, IssuedKeyView],
  errors: [KeyErrors.limitReached],
  example: createPublishableKey.example,
  async handle({ tx, body }) {
    return viewIssuedPublishableKey(await issuePublishableKey(tx, null, toCamelCase(body)))
  },
})

export const updateKeyOfStore = endpoint({
  method: 'patch',
  path: '/super-admin/stores/:id/publishable-keys/:key_id',
  access: superAdminOfStore,
  audit: { action: 'patchSuperAdminStoresIdPublishableKeysKeyId', resource: 'publishable-keys' },
  summary: "Change the name or the allowed origins of a store's publishable key",
  description: KEY_CHANGE,
  params: StoreKeyParams,
  body: UpdatePublishableKeyRequest,
  returns: [200, PublishableKeyView],
  errors: [CommonErrors.changed, KeyErrors.notActive],
  example: updatePublishableKey.example,
  async handle({ tx, params, body, ifMatch }) {
    const key = await update(tx, params.key_id, toCamelCase(body), ifMatch)
    return reply(200, viewPublishableKey(key), { ETag: entityTag(key) })
  },
})

export const rotateKeyOfStore = endpoint({
  method: 'post',
  path: '/super-admin/stores/:id/publishable-keys/:key_id/rotate',
  access: superAdminOfStore,
  audit: { action: 'postSuperAdminStoresIdPublishableKeysKeyIdRotate', resource: 'publishable-keys' },
  summary: "Issue the successor of a store's publishable key",
  params: StoreKeyParams,
  body: RotatePublishableKeyRequest,
  returns: [201, IssuedKeyView],
  errors: [KeyErrors.notActive, KeyErrors.limitReached],
  example: rotatePublishableKey.example,
  async handle({ tx, params, body }) {
    return viewIssuedPublishableKey(await rotate(tx, null, params.key_id, body.overlap_seconds))
  },
})

export const revokeKeyOfStore = endpoint({
  method: 'post',
  path: '/super-admin/stores/:id/publishable-keys/:key_id/revoke',
  access: superAdminOfStore,
  audit: { action: 'postSuperAdminStoresIdPublishableKeysKeyIdRevoke', resource: 'publishable-keys' },
  summary: "Revoke a store's publishable key: the next request with it is refused",
  params: StoreKeyParams,
  returns: [200, PublishableKeyView],
  example: revoked,
  async handle({ tx, params }) {
    return viewPublishableKey(await revoke(tx, params.key_id))
  },
})
