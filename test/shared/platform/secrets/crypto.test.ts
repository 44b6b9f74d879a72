import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { randomToken } from '#shared/platform/secrets/crypto.ts'
import { seal, unseal } from '#shared/platform/secrets/seal.ts'

test('a secret is decrypted only in its own context', () => {
  const sealed = seal('whsec_abc', 'webhook:1')

  assert.equal(unseal(sealed, 'webhook:1'), 'whsec_abc')
  assert.throws(() => unseal(sealed, 'webhook:2'))
  assert.doesNotMatch(sealed, /whsec/)
})

test('a changed ciphertext is not decrypted', () => {
  const sealed = seal('whsec_abc', 'webhook:1')
  const changed = sealed.slice(0, -2) + (sealed.endsWith('AA') ? 'BB' : 'AA')

  assert.throws(() => unseal(changed, 'webhook:1'))
})

test('the error of a missing key names the key', () => {
  const [, ...rest] = seal('x', 'c').split('.')

  assert.throws(() => unseal(['gone', ...rest].join('.'), 'c'), /"gone"/)
})

test('two random tokens differ', () => {
  assert.notEqual(randomToken(), randomToken())
})
