import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newSecret, secretUri, stepOf } from '#shared/identity/two-factor/totp.ts'
import { freezeClock } from '#test/support/clock.ts'

// RFC 6238, appendix B, for SHA-1: the last six of its eight digits. The secret is the ASCII text 12345678901234567890.
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const VECTORS = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
] as const

for (const [seconds, code] of VECTORS)
  test(`at ${seconds} s the code is ${code}`, () => {
    freezeClock(new Date(seconds * 1000))

    assert.equal(stepOf(SECRET, code), Math.floor(seconds / 30))
  })

test('a code is valid from the step before its own to the step after', () => {
  const [seconds, code] = VECTORS[3]
  const start = Math.floor(seconds / 30) * 30
  const at = (second: number) => {
    freezeClock(new Date(second * 1000))
    return stepOf(SECRET, code)
  }

  assert.deepEqual([start - 31, start + 60].map(at), [null, null])
  assert.deepEqual([start - 30, start, start + 59].map(at), Array(3).fill(start / 30))
})

test('a code that is not six digits is wrong', () => {
  for (const code of ['', '12345', '1234567', 'abcdef', '-12345', '１２３４５６'])
    assert.equal(stepOf(SECRET, code), null)
})

test('a secret has 160 bits; issuer and label are escaped in the URI', () => {
  const secret = newSecret()
  const uri = new URL(secretUri(secret, { issuer: 'A:B & C', label: 'x:y@z.example' }))

  assert.match(secret, /^[A-Z2-7]{32}$/)
  assert.equal(decodeURIComponent(uri.pathname), '/A B & C:x y@z.example')
  assert.deepEqual(
    { secret: uri.searchParams.get('secret'), issuer: uri.searchParams.get('issuer') },
    { secret, issuer: 'A B & C' },
  )
})
