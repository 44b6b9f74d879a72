import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normalizeEmail } from '#shared/identity/email.ts'

const SAME = [
  ['Ada@Example.com', 'ada@example.com'],
  [' ada@example.com ', 'ada@example.com'],
  ['ａｄａ@example.com', 'ada@example.com'],
  ['stra\u00dfe@example.com', 'STRASSE@example.com'],
  ['ΟΔΟΣ@example.com', 'οδος@example.com'],
  ['jose\u0301@example.com', 'jos\u00e9@example.com'],
  ['\u212aelvin@example.com', 'kelvin@example.com'],
]

for (const [one = '', other = ''] of SAME)
  test(`${one} and ${other} normalize to one address`, () => {
    assert.equal(normalizeEmail(one), normalizeEmail(other))
  })

test('a dotless ı and an i are different addresses', () => {
  assert.notEqual(normalizeEmail('mıke@example.com'), normalizeEmail('mike@example.com'))
})

test('a normalized address stays unchanged', () => {
  for (const pair of SAME)
    for (const email of pair) assert.equal(normalizeEmail(normalizeEmail(email)), normalizeEmail(email))
})
