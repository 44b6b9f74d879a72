import { staff, staffNotSupport } from '#api/platform/auth/access.ts'
import { memberIdOf } from '#api/platform/auth/callers.ts'
import { listQuery } from '#api/platform/input/list-query.ts'
import { toCamelCase } from '#api/platform/input/request-fields.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { Resource } from '#api/platform/pipeline/resource.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { entityTag } from '#shared/platform/http/entity-tag.ts'
import { KeyErrors } from '#shared/stores/publishable-keys/errors.ts'
import { issuePublishableKey, MAX_KEYS } from '#shared/stores/publishable-keys/issue-publishable-key.ts'
import {
  listPublishableKeys as list,
  PUBLISHABLE_KEYS,
} from '#shared/stores/publishable-keys/list-publishable-keys.ts'
import { findPublishableKey } from '#shared/stores/publishable-keys/publishable-key.ts'
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
  CreatePublishableKeyRequest,
  ENDED_KEYS,
  KEY_CHANGE,
  KeyParams,
  RotatePublishableKeyRequest,
  UpdatePublishableKeyRequest,
} from './schemas.ts'

const example = {
  id: '0199d1f0-5b7e-7c3a-9a51-2f6f0c7d9e30',
  name: 'Web shop',
  hint: 'cx_pk_live_harbor_…9f3c',
  mode: 'live',
  status: 'active',
  allowed_origins: ['https://shop.harbor.example'],
  created_by: '0199d1f0-5b7e-7c3a-9a51-2f6f0c7d9e12',
  created_at: '2026-10-10T08:00:00.000Z',
  updated_at: '2026-10-10T08:00:00.000Z',
  expires_at: null,
  revoked_at: null,
}
const issuedExample = { ...example, key: 'cx_pk_live_harbor_Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV45a019f3c' }

const keys = new Resource({
  path: '/admin/publishable-keys',
  audit: { resource: 'publishable-keys', update: 'patchAdminPublishableKeysKeyId' },
  params: KeyParams,
  reads: staff('system:read'),
  writes: staffNotSupport('system:write'),
  returns: PublishableKeyView,
  view: viewPublishableKey,
  tag: entityTag,
  example,
})

export const listPublishableKeys = keys.list({
  summary: 'List the publishable keys of the store, newest first',
  description: ENDED_KEYS,
  query: listQuery(PUBLISHABLE_KEYS),
  handle: ({ tx, query }) => list(tx, query),
})

export const createPublishableKey = endpoint({
  method: 'post',
  path: '/admin/publishable-keys',
  access: staffNotSupport('system:write'),
  audit: { action: 'postAdminPublishableKeys', resource: 'publishable-keys' },
  summary: 'Issue a publishable key',
  description:
    'Only this response shows the key. It identifies the store and gives access to the storefront only. A store has ' +
    `at most ${MAX_KEYS} keys in use.`,
  body: CreatePublishableKeyRequest,
  returns: [201, IssuedKeyView],
  errors: [KeyErrors.limitReached],
  example: {
    body: { name: example.name, mode: 'live', allowed_origins: example.allowed_origins },
    data: issuedExample,
  },
  async handle({ tx, staff, body }) {
    return viewIssuedPublishableKey(await issuePublishableKey(tx, memberIdOf(staff), toCamelCase(body)))
  },
})

export const readPublishableKey = keys.read({
  summary: 'Read a publishable key without its secret part',
  handle: ({ tx, params }) => findPublishableKey(tx, params.key_id),
})

export const updatePublishableKey = keys.update({
  summary: "Change a publishable key's name or its allowed origins",
  description: KEY_CHANGE,
  body: UpdatePublishableKeyRequest,
  errors: [KeyErrors.notActive],
  example: { body: { allowed_origins: example.allowed_origins } },
  handle: ({ tx, params, body, ifMatch }) => update(tx, params.key_id, toCamelCase(body), ifMatch),
})

export const rotatePublishableKey = endpoint({
  method: 'post',
  path: '/admin/publishable-keys/:key_id/rotate',
  access: staffNotSupport('system:write'),
  audit: { action: 'postAdminPublishableKeysKeyIdRotate', resource: 'publishable-keys' },
  summary: "Issue a publishable key's successor",
  description:
    'The successor has the same name, mode and origins; only this response shows it. The previous key works for ' +
    '`overlap_seconds` more, then it is refused.',
  params: KeyParams,
  body: RotatePublishableKeyRequest,
  returns: [201, IssuedKeyView],
  errors: [CommonErrors.notFound, KeyErrors.notActive, KeyErrors.limitReached],
  example: { body: { overlap_seconds: 604_800 }, data: issuedExample },
  async handle({ tx, staff, params, body }) {
    return viewIssuedPublishableKey(await rotate(tx, memberIdOf(staff), params.key_id, body.overlap_seconds))
  },
})

export const revokePublishableKey = endpoint({
  method: 'post',
  path: '/admin/publishable-keys/:key_id/revoke',
  access: staff('system:write'),
  audit: { action: 'postAdminPublishableKeysKeyIdRevoke', resource: 'publishable-keys' },
  summary: 'Revoke a publishable key: the next request with it is refused',
  params: KeyParams,
  returns: [200, PublishableKeyView],
  errors: [CommonErrors.notFound],
  example: { data: { ...example, status: 'revoked', revoked_at: '2026-10-11T09:30:00.000Z' } },
  async handle({ tx, params }) {
    return viewPublishableKey(await revoke(tx, params.key_id))
  },
})
