import assert from 'node:assert/strict'
import { test } from 'node:test'
import { redact as redactOf } from '#shared/audit/redact.ts'

const redact = (value: unknown) => redactOf(value, 'things')

test('secrets are masked by their names, at any depth', () => {
  const kept = redact({
    password: 'open sesame',
    secret: 'whsec_1',
    access_token: 'ey',
    passwordHash: '$argon2id$',
    list: [{ api_key: 'k', name: 'Till' }],
    recovery_codes: ['a', 'b'],
    otpauth_uri: 'otpauth://totp/x',
    qr_svg: '<svg/>',
  })

  assert.deepEqual(kept, {
    password: '[secret]',
    secret: '[secret]',
    access_token: '[secret]',
    passwordHash: '[secret]',
    list: [{ api_key: '[secret]', name: 'Till' }],
    recovery_codes: '[secret]',
    otpauth_uri: '[secret]',
    qr_svg: '[secret]',
  })
})

test("of a voucher's code its end stays, where that is the lesser part of it", () => {
  const codeOf = (code: unknown, type = 'vouchers') => redactOf({ code }, type)

  assert.deepEqual(codeOf('7K3M-9QXZ-4TRB-WH2C'), { code: '…WH2C' })
  assert.deepEqual(codeOf('GIFT123'), { code: '[secret]' })
  assert.deepEqual(codeOf('𝐀𝐁𝐂𝐃𝐄𝐅𝐆𝐇𝐈'), { code: '…𝐅𝐆𝐇𝐈' })
  assert.deepEqual(codeOf(undefined), {})
  assert.deepEqual(codeOf('SPRING-SALE', 'coupons'), { code: 'SPRING-SALE' })
  assert.deepEqual(redact({ voucher_code: '7K3M-9QXZ-4TRB-WH2C' }), { voucher_code: '[secret]' })
})

test('what only sounds like a secret stays', () => {
  const value = {
    token_type: 'Bearer',
    has_password: true,
    password: null,
    secretary: 'Ada',
    keys: 2,
    sku: 'key',
  }

  assert.deepEqual(redact(value), value)
})

test('long texts and lists, and deep values, are cut', () => {
  const { text, list } = redact({ text: 'x'.repeat(5_000), list: Array(300).fill(1) }) as {
    text: string
    list: unknown[]
  }

  assert.equal(text, `${'x'.repeat(1_000)}… (5000 characters)`)
  assert.deepEqual([list.length, list.at(-1)], [101, '… 200 more'])
  let deep: unknown = 'bottom'
  for (let i = 0; i < 20; i++) deep = { deep }
  assert.ok(!JSON.stringify(redact(deep)).includes('bottom'))
})

test('a value that is still too large is left out, and its size kept', () => {
  const kept = redact(Array(100).fill('x'.repeat(1_000))) as { cut: string }

  assert.match(kept.cut, /^\d{6} characters$/)
})

test('a text is never cut in the middle of a letter', () => {
  const kept = redact('x'.repeat(999) + '😀'.repeat(10)) as string

  assert.ok(kept.isWellFormed())
})
