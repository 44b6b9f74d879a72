import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { glob, readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { promisify } from 'node:util'
import '#shared/all-mails.ts'
import { MAIL_LANGUAGES, type MailLanguage, mailKinds, mailLanguage } from '#shared/mail/define-mail.ts'

const site = {
  name: 'Shop',
  url: 'https://shop.example',
  serviceUrl: 'https://service.example',
  hasDomain: true,
  links: {},
  branding: { logo_url: null, color: null },
  timeZone: 'Europe/Berlin',
  language: 'en',
}
const data = {
  at: '2026-10-11T09:30:00.000Z',
  ip: '203.0.113.7',
  user_agent: null,
  token: 'token',
  account: 'customer',
  email: 'ada@shop.example',
  is_on: true,
  provider: 'Acme',
  providers: ['Acme'],
  is_unlinked: true,
  url: 'https://receiver.example',
  reason: 'gone',
  count: 1,
  logs: [{ name: 'harbor', sequence: 7, fault: 'changed' }],
  super_admin: 'root@service.example',
  former_owner: 'ada@shop.example',
  new_owner: 'grace@shop.example',
  deactivated_providers: ['Office (office)'],
  reset_links: ['staff_password'],
  may_write: false,
  product: 'Jacket',
  author: 'Ada',
  question: 'Is it warm?',
  answer: 'It is.',
  code: '7K3M-9QXZ-4TRB-WH2C',
  amount: 50,
  currency: 'EUR',
  from_name: 'Ada',
  to_name: 'Grace',
  message: 'Well done',
  image: 'https://images.example/theme.png',
  expires_at: '2027-10-11T09:30:00.000Z',
  number: 'R4T8WN-0QH2V',
  order_number: '7K3M9-QXZ4T',
  items: [{ name: 'Stool', sku: 'STOOL', quantity: 2 }],
  order_id: '01992f3f-7c1a-7b52-9d6e-5a1c0e4b7f21',
  access_token: 'token',
  firstname: 'Ada',
  status: 'approved',
  lines: [{ name: 'Stool', detail: 'oak', quantity: 2, amount: 40 }],
  subtotal: 40,
  discount_total: 4,
  shipping_total: 5,
  rounding_total: 0,
  taxes: [{ name: 'VAT', amount: 7.6 }],
  total: 48.6,
  voucher_total: 0,
  payment_method: 'bank_transfer',
  instructions: 'IBAN DE02 1203 0000 0000 2020 51',
  shipping_address: {
    firstname: 'Ada',
    lastname: 'Byron',
    address_1: 'Quay 12',
    city: 'Kiel',
    postcode: '24103',
    country: 'DE',
  },
  shipping_method: 'Parcel',
  refund: { amount: 10, voucher_amount: 4, is_by_gateway: true, reason: 'A scratch' },
  subscription_id: '01992f3f-7c1a-7b52-9d6e-5a1c0e4b7f21',
  plan_name: 'Every month',
  charges: [{ charge_no: 2, plan_name: 'Every month' }],
  name: 'House coffee',
  quantity: 2,
  next_charge_at: '2026-11-11T09:30:00.000Z',
  card: { brand: 'visa', last4: '4242' },
  failure: {
    charge_no: 2,
    reason: 'insufficient_funds',
    next_attempt_at: '2026-10-12T09:30:00.000Z',
    order: null,
  },
  body: 'The blue is lighter.',
  shipment: {
    carrier: 'DHL',
    tracking_number: '00340434161094042557',
    tracking_url: 'https://track.example/00340434161094042557',
    goods: [{ name: 'Stool', quantity: 2 }],
  },
}

const TERMS = {
  plan_name: 'Every month',
  unit_price: 14.9,
  quantity: 2,
  duration: 1,
  duration_unit: 'month',
  charges_left: null,
  recipient: 'Ada Byron',
  telephone: '',
  shipping_address: data.shipping_address,
  billing_address: data.shipping_address,
  shipping_method: 'Parcel',
}

/** Data of mails that have another shape under the same name. */
const OTHER_DATA: Record<string, object> = {
  'books-differ': {
    count: 1,
    differences: [{ invariant: 'order.captured', subject: 'orders 7', expected: '1', found: '2' }],
  },
  'integrations-remain': {
    change: 'removed',
    member: 'grace@shop.example',
    member_id: '01992f3f-7c1a-7b52-9d6e-5a1c0e4b7f21',
    changed_by: 'ada@shop.example',
    integrations: [{ kind: 'webhook', name: 'receiver.example', is_active: false, created_at: data.at }],
    more: 1,
  },
  'role-narrowed': {
    role: 'clerk',
    changed_by: 'ada@shop.example',
    integrations: [
      {
        kind: 'webhook',
        name: 'receiver.example',
        is_active: false,
        created_at: data.at,
        member: 'grace@shop.example',
      },
    ],
    more: 1,
  },
  'subscription-reminder': {
    at: '2026-11-11T09:30:00.000Z',
    ends_trial: true,
    amount: { subtotal: 29.8, shipping_total: 4.9, tax_total: 6.6, total: 41.3 },
  },
  'subscription-changed': {
    at: '2026-11-11T09:30:00.000Z',
    is_continued: false,
    is_own_change: false,
    before: TERMS,
    after: {
      ...TERMS,
      quantity: 3,
      duration: 2,
      charges_left: 5,
      telephone: '+49 431 1',
      shipping_method: '',
    },
    amount: { subtotal: 44.7, shipping_total: 4.9, tax_total: 9.4, total: 59 },
  },
  'api-token-granted': {
    is_new: true,
    is_own: true,
    granted_by: 'grace@shop.example',
    rights: ['sales:read', 'catalog:read'],
  },
  'settings-changed': {
    changed_by: 'grace@shop.example',
    caller: 'staff',
    changes: [{ setting: 'links.order', before: null, after: 'https://pages.example/order' }],
  },
  'payment-instructions-changed': {
    changed_by: 'grace@shop.example',
    by_api_token: false,
    payment_method: 'bank_transfer',
    changes: [
      { text: 'instructions', language: 'en', before: null, after: 'Pay to DE02 1203 0000 0000 2020 51' },
    ],
    more: 0,
  },
  'affiliate-code-changed': { formerCode: 'ada' },
  'affiliate-payout-changed': { is_by_staff: true, is_removed: false },
  'order-address-changed': { postcode: '24103', city: 'Kiel', country: 'DE' },
  'support-changes': {
    super_admin_id: '01992f3f-7c1a-7b52-9d6e-5a1c0e4b7f21',
    reason: 'Ticket 4711',
    from: '2026-10-11T09:30:00.000Z',
    to: '2026-10-11T10:00:00.000Z',
    changes: [
      {
        at: '2026-10-11T09:40:00.000Z',
        action: 'patchAdminSettings',
        resource_type: 'settings',
        resource_id: null,
        name: null,
      },
    ],
    total: 2,
  },
  'subscription-price-change': { old_price: 14.9, new_price: 15.9, from: '2026-12-11T09:30:00.000Z' },
}

/** Returns the kinds of mails that `all-mails.ts` alone loads: other tests of this process may have loaded more. */
async function kindsOfWorker(): Promise<string[]> {
  const program = `
    import '#shared/all-mails.ts'
    import { mailKinds } from '#shared/mail/define-mail.ts'
    console.log(JSON.stringify([...mailKinds().keys()]))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program])
  return JSON.parse(stdout)
}

test('the worker imports every declared kind of mail', async () => {
  const declared: string[] = []
  for await (const file of glob('shared/*/**/*.ts'))
    for (const [, name = ''] of (await readFile(file, 'utf8')).matchAll(
      /= define(?:Mail|Notice)\(\s*'([^']+)'/g,
    ))
      declared.push(name)

  assert.deepEqual((await kindsOfWorker()).sort(), declared.sort())
})

test('every kind of mail has its own text in every language', () => {
  for (const { name, write } of mailKinds().values()) {
    const all = { ...data, ...OTHER_DATA[name] }
    const letters = MAIL_LANGUAGES.map((language) => write[language](all, { ...site, language }))
    assert.equal(new Set(letters.map(({ subject }) => subject)).size, MAIL_LANGUAGES.length, name)
    assert.ok(
      letters.every(({ subject }) => subject.includes('Shop')),
      name,
    )
    assert.doesNotMatch(JSON.stringify(letters), /undefined|null/, name)
  }
})

test('an address in a mail has the names of its zone and its country in the language of the mail', () => {
  const address = { ...data.shipping_address, city: 'Springfield', postcode: '62701' }
  const shipping_address = { ...address, zone: 'US-IL', country: 'US' }
  const write = mailKinds().get('order-placed')?.write
  const text = (language: MailLanguage) =>
    JSON.stringify(write?.[language]({ ...data, shipping_address }, { ...site, language }))

  assert.match(text('en'), /62701 Springfield\\nIllinois\\nUnited States"/)
  assert.match(text('de'), /62701 Springfield\\nIllinois\\nVereinigte Staaten"/)
})

test('quoted text has the quotation marks of the language', () => {
  const write = mailKinds().get('gift-voucher')?.write
  const text = (language: MailLanguage) => JSON.stringify(write?.[language](data, { ...site, language }))

  assert.match(text('en'), /“Well done”/)
  assert.match(text('de'), /„Well done“/)
})

test('a language tag is matched by its primary language; other languages get English', () => {
  assert.deepEqual(['de', 'de-AT', 'DE', 'en-GB', 'fr', 'den'].map(mailLanguage), [
    'de',
    'de',
    'de',
    'en',
    'en',
    'en',
  ])
})
