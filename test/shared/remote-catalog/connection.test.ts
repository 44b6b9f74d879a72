import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { newId } from '#shared/platform/db/id.ts'
import { openApiKey, RemoteConnection, rateOf, sealApiKey } from '#shared/remote-catalog/connection.ts'
import { hashRequest } from '#shared/remote-catalog/remote-request.ts'

const BASE_URL = 'https://till.example.com/api'

function connectionOf({
  apiKey = 'key-of-a-till',
  ...given
}: Partial<RemoteConnection> & { apiKey?: string }) {
  const { storeId = newId(), baseUrl = BASE_URL } = given
  return Object.assign(new RemoteConnection(), {
    requestsPerSecond: 2,
    burst: 3,
    sharedWithTill: false,
    tillReservePercent: 50,
    updatedAt: new Date(0),
    ...given,
    storeId,
    baseUrl,
    apiKeySealed: sealApiKey(apiKey, storeId, baseUrl),
  })
}

test('a key shared with the till gets the part of the limit that the till does not reserve', () => {
  const paces = [{}, { sharedWithTill: true }, { sharedWithTill: true, tillReservePercent: 90 }].map(
    (given) => rateOf(connectionOf(given)),
  )

  assert.deepEqual(
    paces.map(({ perSecond, burst }) => ({ perSecond, burst })),
    [
      { perSecond: 2, burst: 3 },
      { perSecond: 1, burst: 1 },
      { perSecond: 0.2, burst: 1 },
    ],
  )
})

test('stores with one key at one host share its pace, and no others do', () => {
  const subjects = [
    {},
    { baseUrl: 'https://till.example.com/other' },
    { baseUrl: 'https://other.example.com/api' },
    { apiKey: 'another-key' },
  ].map((given) => rateOf(connectionOf(given)).subject)

  assert.equal(subjects[0], subjects[1])
  assert.equal(new Set(subjects).size, 3)
})

test('a kept key opens for its own store and host alone', () => {
  const kept = connectionOf({})

  assert.equal(openApiKey(kept), 'key-of-a-till')
  assert.equal(openApiKey({ ...kept, baseUrl: 'https://till.example.com/moved' }), 'key-of-a-till')
  for (const moved of [{ storeId: newId() }, { baseUrl: 'https://thief.example.com/api' }])
    assert.throws(() => openApiKey({ ...kept, ...moved }))
})

test('questions are equal whatever the order of their parts, and not under other settings', () => {
  const [one, same, other] = [
    { page: 1, page_size: 50, q: 'mug' },
    { q: 'mug', page_size: 50, page: 1 },
    { page: 2, page_size: 50, q: 'mug' },
  ]
  const connection = connectionOf({})
  const hash = hashRequest(one, connection)

  assert.deepEqual(hashRequest(same, connection), hash)
  assert.notDeepEqual(hashRequest(other, connection), hash)
  assert.notDeepEqual(hashRequest(one, connectionOf({ updatedAt: new Date(1) })), hash)
})
