import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import '#test/support/database.ts'

// Before anything reads the configuration: a new key signs, and the old one still verifies.
const oldKey = randomBytes(32)
process.env.TOKEN_KEYS = `new:${randomBytes(32).toString('base64url')},old:${oldKey.toString('base64url')}`

import jwt from 'jsonwebtoken'
import { verifyAccessToken } from '#shared/accounts/access-token.ts'
import { encode, type RefreshToken, readRefreshToken } from '#shared/accounts/refresh-token.ts'
import { rotateSession } from '#shared/accounts/rotate-session.ts'
import { hmac, sha256 } from '#shared/platform/crypto.ts'
import { inStore } from '#shared/platform/store-scope.ts'
import { buildStore } from '#test/support/build.ts'
import { buildCustomer } from '#test/support/build-accounts.ts'

const device = { ip: null, userAgent: null }

/** The refresh token of that name as it was made while the old key was in use. */
const underOldKey = ({ storeId, sessionId, generation }: RefreshToken) =>
  encode(
    { storeId, sessionId, generation },
    hmac(hmac(oldKey, 'refresh token'), `${storeId} ${sessionId} ${generation}`),
  )

const read = (token: string): RefreshToken => {
  const found = readRefreshToken(token)
  assert.ok(found)
  return found
}

test('an access token of the old key is accepted until the key goes', async () => {
  const { token } = await buildCustomer(await buildStore())
  const payload = jwt.decode(token) as object

  const old = jwt.sign(payload, oldKey, { keyid: 'old' })

  assert.deepEqual(verifyAccessToken(old), verifyAccessToken(token))
})

test('refresh tokens go over to the new key, also when their predecessor comes again', async () => {
  const store = await buildStore()
  const first = read((await buildCustomer(store)).refreshToken)
  const second = underOldKey({ ...first, generation: 2 })
  await inStore(store.id, (tx) =>
    tx
      .knex('sessions')
      .where('id', first.sessionId)
      .update({ generation: 2, token_hash: sha256(second), superseded_at: [new Date()] }),
  )
  const rotate = (token: RefreshToken) => inStore(store.id, (tx) => rotateSession(tx, token, device))

  const repeated = await rotate(read(underOldKey(first)))
  const third = await rotate(read(second))

  assert.ok('refreshToken' in repeated && 'refreshToken' in third)
  assert.equal(repeated.refreshToken, second)
  assert.equal(read(third.refreshToken).generation, 3)
  assert.notEqual(third.refreshToken, underOldKey(read(third.refreshToken)))
})
