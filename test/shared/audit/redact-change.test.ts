import assert from 'node:assert/strict'
import { test } from 'node:test'
import { redactChange } from '#shared/audit/redact-change.ts'

const redactOf = (value: unknown, type: string) => redactChange({ before: null, after: value }, type).after
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

test("the end of a voucher's code is not masked when it is less than half of it", () => {
  const codeOf = (code: unknown, type = 'vouchers') => redactOf({ code }, type)

  assert.deepEqual(codeOf('7K3M-9QXZ-4TRB-WH2C'), { code: '…WH2C' })
  assert.deepEqual(codeOf('GIFT123'), { code: '[secret]' })
  assert.deepEqual(codeOf('𝐀𝐁𝐂𝐃𝐄𝐅𝐆𝐇𝐈'), { code: '…𝐅𝐆𝐇𝐈' })
  assert.deepEqual(codeOf(undefined), {})
  assert.deepEqual(codeOf('SPRING-SALE', 'coupons'), { code: 'SPRING-SALE' })
  assert.deepEqual(redact({ voucher_code: '7K3M-9QXZ-4TRB-WH2C' }), { voucher_code: '[secret]' })
})

test("an affiliate's payout details leave their method and their ends", () => {
  const payoutOf = (details: unknown) => redactOf({ payout: { method: 'bank', details } }, 'affiliates')

  assert.deepEqual(payoutOf({ iban: 'DE02120300000000202051', name: 'Ada' }), {
    payout: { method: 'bank', details: ['…2051', '[secret]'] },
  })
  assert.deepEqual(payoutOf('ada@byron.example '), { payout: { method: 'bank', details: '…mple' } })
  assert.deepEqual(redactOf({ payout: null }, 'affiliates'), { payout: null })
  const change = { before: { payout: { method: 'bank' } }, after: { payout: { method: 'paypal' } } }
  assert.deepEqual(redactChange(change, 'affiliates'), change)
})

test('a field whose name only resembles that of a secret is not masked', () => {
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
  assert.equal(list.length, 101)
  assert.equal(list.at(-1), '… 200 more')
  let deep: unknown = 'bottom'
  for (let i = 0; i < 20; i++) deep = { deep }
  assert.ok(!JSON.stringify(redact(deep)).includes('bottom'))
})

test('a field that is still too long is replaced by its size and hash; the others stay', () => {
  const kept = (lines: string[]) =>
    redact({ lines: Array(100).fill({ lines }), price: 12 }) as { lines: { cut: string }; price: number }
  const long = Array(20).fill('x'.repeat(60))

  assert.match(kept(long).lines.cut, /^\d{6} characters$/)
  assert.equal(kept(long).price, 12)
  assert.notDeepEqual(kept([...long.slice(1), 'y'.repeat(60)]).lines, kept(long).lines)
})

for (const [what, letter] of Object.entries({ Latin: 'x', Chinese: '茶' }))
  test(`no entry of ${what} text is larger than its fields times 8 KiB`, () => {
    const value = Object.fromEntries(
      Array.from({ length: 20 }, (_, at) => [
        `field_${at}`,
        at % 2 ? Array(7).fill(letter.repeat(900)) : Array(500).fill(letter.repeat(5_000)),
      ]),
    )

    assert.ok(Buffer.byteLength(JSON.stringify(redact(value))) < 20 * 8_300)
  })

test('a changed secret shows as changed on both sides', () => {
  const change = redactChange(
    { before: { api_key: 'a', name: 'x' }, after: { api_key: 'b', name: 'x' } },
    'things',
  )

  assert.deepEqual(change, { before: { api_key: '[secret]' }, after: { api_key: '[secret]' } })
})

test('a text is not cut inside a character', () => {
  const kept = redact('x'.repeat(999) + '😀'.repeat(10)) as string

  assert.ok(kept.isWellFormed())
})
