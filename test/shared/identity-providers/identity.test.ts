import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readIdentity } from '#shared/identity-providers/identity.ts'

const claims = {
  sub: 's',
  email: 'ada@example.com',
  email_verified: true,
  given_name: 'Ada',
  family_name: 'Byron',
}

test('readIdentity reads the standard claims', () => {
  assert.deepEqual(readIdentity(claims), {
    subject: 's',
    verifiedEmail: 'ada@example.com',
    firstname: 'Ada',
    lastname: 'Byron',
  })
})

for (const email_verified of [false, undefined, null, 1, 'yes', 'false', {}])
  test(`email_verified ${JSON.stringify(email_verified)} gives no verified address`, () => {
    assert.equal(readIdentity({ ...claims, email_verified }).verifiedEmail, null)
  })

test('email_verified as the text true gives a verified address', () => {
  assert.equal(readIdentity({ ...claims, email_verified: 'true' }).verifiedEmail, 'ada@example.com')
})

for (const email of [
  undefined,
  7,
  '',
  'ada',
  'a@b',
  'a b@example.com',
  'a\u0000@example.com',
  `${'a'.repeat(250)}@example.com`,
])
  test(`the email ${JSON.stringify(email)?.slice(0, 30)} gives no verified address`, () => {
    assert.equal(readIdentity({ ...claims, email }).verifiedEmail, null)
  })

for (const sub of [undefined, '', 7, 'x'.repeat(256), 'a\u0000b', 'ü'])
  test(`the sub ${JSON.stringify(sub)?.slice(0, 30)} throws auth.oauth_answer_invalid`, () => {
    assert.throws(() => readIdentity({ ...claims, sub }), { code: 'auth.oauth_answer_invalid' })
  })

const NAMES: [object, [string, string]][] = [
  [{ given_name: 'Ada', family_name: undefined }, ['Ada', '']],
  [{ given_name: undefined, name: 'Ada Byron' }, ['Ada Byron', '']],
  [{ given_name: undefined, family_name: undefined }, ['ada', '']],
  [{ given_name: ' A\u0000d\na ', family_name: 7 }, ['A d a', '']],
  [{ given_name: 'x'.repeat(200), family_name: '\ud800' }, ['x'.repeat(100), '']],
]
for (const [given, names] of NAMES)
  test(`${JSON.stringify(given).slice(0, 60)} gives the name ${names.join(' ').slice(0, 20)}`, () => {
    const { firstname, lastname } = readIdentity({ ...claims, ...given })
    assert.deepEqual({ firstname, lastname }, { firstname: names[0], lastname: names[1] })
  })
